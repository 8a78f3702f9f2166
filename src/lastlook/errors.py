"""Every error that Lastlook raises on purpose.

```
LastlookError                 what went wrong, where, and what to do
├── DeclarationError          a mistake in how something was declared (also ValueError)
│   ├── FieldSyntaxError      the text of a field cannot be read
│   ├── TemplateError         the text of a template, a ref or `writes` cannot be read
│   ├── PathNamesNothing      a declared field is not in the record at capture
│   ├── NoFields              evidence without a single field
│   ├── NoEvidence            a plan that rests on nothing and does not say so
│   ├── ConditionNotMet       a condition is already false at capture
│   ├── NotDeclared           a field or fact that was not declared (also KeyError)
│   ├── BadArguments          arguments that a tool or planner does not take (also TypeError)
│   └── DuplicateName         two sources, tools or planners of one name
├── NotCanonical              a value that has no canonical form (also ValueError)
│   └── BadJSON               text that is not strict JSON
├── BadFormat                 stored or handed-in bytes of an unknown format or scheme
├── CaptureFailed             the source could not be read when the plan was made
├── NotRegistered             a source, tool or planner that this program does not have
├── NotAllowed                an approval by somebody who may not give it
├── SealMismatch              a yes that names another plan than the one stored
├── UnknownPlan               no plan of that id in the store
├── WrongState                the plan is past the point where this can be done
├── NoFreshPlan               there is no new question, and why
├── NotExecuted               an outcome was unwrapped that is not Executed
│   ├── NotRun                nothing ran now
│   └── MayHaveRun            something may have run
└── StoreError                the store cannot be used
    ├── StoreBusy             another process holds it for too long
    ├── StoreTooNew           written by a later version
    ├── StoreCorrupt          not a store, or damaged
    ├── StoreReadOnly         cannot be written
    └── StoreFull             the disk is full
```

This module imports nothing, so that every other may import it.
"""


class LastlookError(Exception):
    """The base of all errors that Lastlook raises on purpose.

    Its text shows no character that could steer a terminal or hide: those are escaped as
    Python writes them. The attributes hold every text as it is.

    Attributes:
        what: One sentence that says what went wrong.
        where: The place: a path in a record, a file, a ref, a position in a text.
        fix: What to do about it, or an empty text where nothing general helps.
    """

    def __init__(self, what: str, *, where: str = "", fix: str = "") -> None:
        self.what = what
        self.where = where
        self.fix = fix
        super().__init__(what, where, fix)

    def __str__(self) -> str:
        place = f" (at {self.where})" if self.where else ""
        advice = f". {self.fix}" if self.fix else ""
        text = f"{self.what}{place}{advice}"
        return text if text.isprintable() else "".join(map(_seen, text))


def _seen(char: str) -> str:
    return char if char.isprintable() else char.encode("unicode_escape").decode()


class DeclarationError(LastlookError, ValueError):
    """Something was declared in a way that cannot be meant."""


class FieldSyntaxError(DeclarationError):
    """The text of a field cannot be read; `fix` shows the right spelling."""


class TemplateError(DeclarationError):
    """A template, a ref or a `writes` entry cannot be read or filled."""


class PathNamesNothing(DeclarationError):
    """A declared field names nothing in the record, so it would protect nothing."""


class NoFields(DeclarationError):
    """Evidence was declared without a field, so it would protect nothing."""


class NoEvidence(DeclarationError):
    """A plan has side effects, rests on no evidence, and does not say so."""


class ConditionNotMet(DeclarationError):
    """A declared condition is false already when the evidence is captured."""


class NotDeclared(DeclarationError, KeyError):
    """A field was used that the evidence does not declare."""

    __str__ = LastlookError.__str__


class BadArguments(DeclarationError, TypeError):
    """A tool or planner was given arguments that it does not take."""


class DuplicateName(DeclarationError):
    """Two sources, tools or planners were registered under one name."""


class NotCanonical(LastlookError, ValueError):
    """A value has no canonical form; `where` is its path as a JSON Pointer."""


class BadJSON(NotCanonical):
    """A text is not strict JSON: bad syntax, repeated keys, NaN, too deep or too large."""


class BadFormat(LastlookError, ValueError):
    """Bytes carry a format or a scheme that this version does not know."""


class CaptureFailed(LastlookError):
    """A source could not be read when the plan was made, so there is no plan."""


class NotRegistered(LastlookError, LookupError):
    """This program has no source, tool or planner of that name or configuration."""


class NotAllowed(LastlookError):
    """That principal may not approve this plan."""


class SealMismatch(LastlookError):
    """A yes names a seal that is not the seal of the stored plan."""


class UnknownPlan(LastlookError, LookupError):
    """The store holds no plan of that id."""


class WrongState(LastlookError):
    """The plan has moved on, and this can no longer be done to it."""


class NoFreshPlan(LastlookError):
    """There is no new question after a block; `what` says why."""


class NotExecuted(LastlookError):
    """An outcome was unwrapped, or a guarded call made, and it is not Executed.

    Attributes:
        outcome: The outcome, with all that is known.
    """

    def __init__(self, what: str, *, outcome: object) -> None:
        super().__init__(what)
        self.outcome = outcome

    def __str__(self) -> str:
        return self.what  # the outcome's own screen, line by line, in which all can be seen


class NotRun(NotExecuted):
    """Nothing ran now."""


class MayHaveRun(NotExecuted):
    """Something may have run; look before doing it again."""


class StoreError(LastlookError):
    """The store cannot be used; nothing was changed."""


class StoreBusy(StoreError):
    """Another process held the store for longer than the time-out."""


class StoreTooNew(StoreError):
    """The store was written by a later version of Lastlook."""


class StoreCorrupt(StoreError):
    """The file is not a Lastlook store, or it is damaged."""


class StoreReadOnly(StoreError):
    """The store cannot be written: permissions, or a read-only file system."""


class StoreFull(StoreError):
    """The disk or quota is full."""
