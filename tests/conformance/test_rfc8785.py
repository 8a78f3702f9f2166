"""RFC 8785: its test data where it is at hand, and the numbers of its appendix B in any case."""

from __future__ import annotations

import json
import struct

import pytest

from lastlook.core.canonical import encode, to_wire
from lastlook.core.jsontext import parse_json
from lastlook.errors import NotCanonical

# RFC 8785, appendix B: the bits of a double, and how ECMAScript writes it; None is refused.
APPENDIX = [
    ("0000000000000000", "0"),
    ("8000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("7fefffffffffffff", "1.7976931348623157e+308"),
    ("ffefffffffffffff", "-1.7976931348623157e+308"),
    ("4340000000000000", "9007199254740992"),
    ("c340000000000000", "-9007199254740992"),
    ("4430000000000000", "295147905179352830000"),
    ("7fffffffffffffff", None),
    ("7ff0000000000000", None),
    ("44b52d02c7e14af5", "9.999999999999997e+22"),
    ("44b52d02c7e14af6", "1e+23"),
    ("44b52d02c7e14af7", "1.0000000000000001e+23"),
    ("444b1ae4d6e2ef4e", "999999999999999700000"),
    ("444b1ae4d6e2ef4f", "999999999999999900000"),
    ("444b1ae4d6e2ef50", "1e+21"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555554", "333333333.33333325"),
    ("41b3de4355555555", "333333333.3333333"),
    ("41b3de4355555556", "333333333.3333334"),
    ("41b3de4355555557", "333333333.33333343"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
    ("43143ff3c1cb0959", "1424953923781206.2"),
]


@pytest.mark.parametrize(("bits", "text"), APPENDIX)
def test_a_number_of_the_appendix_is_written_as_it_says(bits, text):
    (number,) = struct.unpack(">d", bytes.fromhex(bits))
    if text is None:
        with pytest.raises(NotCanonical):
            to_wire(number)
    else:
        assert encode(to_wire(number)).decode() == text


NAMES = ("arrays", "french", "structures", "unicode", "values", "weird")


@pytest.mark.parametrize("name", NAMES)
def test_a_document_of_the_test_data_becomes_its_bytes(data, name):
    folder = data("rfc8785") / "testdata"
    given = (folder / "input" / f"{name}.json").read_bytes()
    wanted = (folder / "output" / f"{name}.json").read_bytes()
    assert encode(to_wire(parse_json(given))) == wanted
    json.loads(wanted)


def test_the_test_data_has_no_other_documents(data):
    found = {path.stem for path in (data("rfc8785") / "testdata" / "input").iterdir()}
    assert found == set(NAMES)
