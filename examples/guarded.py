"""One function, guarded: each call asks, looks again, and then runs or raises.

    python examples/guarded.py

Run it in a terminal and it asks you. Change the file it names while it asks, and say yes.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from lastlook import JsonFiles, Lastlook
from lastlook.errors import MayHaveRun, NotRun

SEAT = {"seat": "12C", "status": "free", "price": 90}


def make_buy(folder: Path, **options: Any) -> Any:
    """Return the guarded function, over the seats in a folder."""
    look = Lastlook(sources={"seats": JsonFiles(folder)}, store="memory", **options)

    @look.guarded(
        "Buy seat {seat} for at most {limit}",
        rests_on={"seats:{seat}": ["status == 'free'", "price <= {limit}"]},
        writes=["seats:{seat}#status"],
        effect="buys seat {seat}",
    )
    def buy(seat: str, limit: int) -> str:
        """Buy a seat; your code pays here."""
        with (folder / "bought.txt").open("a", encoding="utf-8") as file:
            file.write(f"{seat}\n")
        return f"bought {seat}"

    return buy


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        seat = Path(folder) / "12C.json"
        seat.write_text(json.dumps(SEAT), encoding="utf-8")
        print(f"the seat is {seat}\n")
        buy = make_buy(Path(folder))
        try:
            print(buy("12C", limit=100))
        except NotRun as error:
            print(f"{error}\n\nNothing was bought.")
        except MayHaveRun as error:
            print(f"{error}\n\nLook before you buy again.")


if __name__ == "__main__":
    main()
