"""What all verbs share: the store, the sources, the application, and who is asked.

Everything is opened when a verb first needs it. A store that is not there yet is made
by the verbs that propose, and by no other.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from lastlook.cli.interrupts import Interrupts
from lastlook.cli.output import Output, Usage
from lastlook.cli.suggesting import home_of, to_type
from lastlook.errors import DeclarationError, NotRegistered, UnknownPlan

if TYPE_CHECKING:
    from datetime import tzinfo

    from lastlook.app import Lastlook
    from lastlook.config import Config
    from lastlook.core.ports import Asker, Store
    from lastlook.stores.location import Location

T = TypeVar("T")


class Context:
    """One command line.

    Args:
        output: Where the verb prints.
        command: The words after `--`, or None where there is no `--`.
        head: The words before it, as they were typed.
        asker: Who puts questions to a person; the terminal by default.

    Attributes:
        verb: Which verb it is.
        store_spec, app_spec, config_path: The options `--store`, `--app`, `--config`.
        interrupts: What is done about Ctrl-C.
    """

    def __init__(
        self,
        output: Output,
        command: tuple[str, ...] | None = None,
        *,
        head: Sequence[str] = (),
        asker: Asker | None = None,
        interrupts: Interrupts | None = None,
    ) -> None:
        self.output = output
        self.command = command
        self.head = tuple(head)
        self.verb = ""
        self._asker = asker
        self.store_spec: str | None = None
        self.app_spec: str | None = None
        self.config_path: str | None = None
        self.interrupts = interrupts or Interrupts(whole=False)
        self._makes_store = False

    @cached_property
    def folder(self) -> str:
        """The working directory; raises `DeclarationError` where it is gone."""
        try:
            return os.getcwd()
        except OSError as error:
            raise DeclarationError(
                f"the working directory cannot be told: {error.strerror}", fix="Go elsewhere: cd ~"
            ) from error

    @cached_property
    def config(self) -> Config | None:
        """The lastlook.toml that holds here, or None; raises `DeclarationError`."""
        from lastlook.config import load_config
        from lastlook.stores.location import nearest_config

        if self.config_path is not None:
            return load_config(self.config_path)
        path = None if self.app_spec is not None else nearest_config(self.folder)
        return None if path is None else load_config(path)

    @cached_property
    def location(self) -> Location:
        """Where the store is, and why; raises `StoreError`."""
        from msgspec.structs import replace

        from lastlook.stores.location import locate

        if self.store_spec is not None:
            return replace(locate(self.store_spec, folder=self.folder), why="--store says so")
        beside = self.folder if self.config_path is None else os.path.dirname(self.config_path)
        return locate(folder=os.path.abspath(beside))

    @property
    def where(self) -> dict[str, str]:
        """Where plans are kept and why, for the last line of a listing."""
        from lastlook.stores.location import short

        if self.app_spec is not None:
            return {"where": short(self.store.where), "why": self.store.why}
        return {"where": short(self.location.path), "why": self.location.why}

    def listing(self) -> dict[str, Any]:
        """Return how a listing is laid out: zone, width, and where plans are kept and why."""
        return {"zone": self.zone, "width": self.output.columns(), **self.where}

    @property
    def has_store(self) -> bool:
        """Whether there is a store already: a look makes none, and an application has one."""
        from lastlook.stores.location import MEMORY

        if self.app_spec is not None or self.location.path == MEMORY:
            return True
        return os.path.lexists(self.location.path)

    @property
    def zone(self) -> tzinfo:
        """The machine's time zone."""
        from lastlook.terminal import local_zone

        return local_zone()

    @property
    def login(self) -> str:
        """The login name of whoever runs this."""
        from lastlook.terminal import principal

        return principal().partition(":")[2]

    @cached_property
    def store(self) -> Store:
        """The store: the application's, or else one that needs no configuration to be read."""
        return self._opened() if self.app_spec is None else self.look.world.store

    @cached_property
    def look(self) -> Lastlook:
        """The application, or one of our own with the sources of lastlook.toml.

        It has `cwd`, the files beneath the working directory, and can rebuild every
        command from its sealed definition.
        """
        look = self._own() if self.app_spec is None else self._imported(self.app_spec)
        world = look.world
        if "cwd" not in world.sources:
            from lastlook.sources.files import JsonFiles

            files = JsonFiles(self.folder, suffix_in_key=True)
            world.sources.add("cwd", files, builtin=True)
        world.command_tool = self._rebuilt
        return look

    def making(self) -> Lastlook:
        """Return the application with its store, which is made where there is none."""
        self._makes_store = True
        return self.look

    def here(self, plan_id: str, verb: str, work: Callable[[], T]) -> T:
        """Do some work on a plan; where its files are elsewhere, say the `cd` to type.

        Raises:
            NotRegistered: The plan needs a source or tool that is not here.
        """
        try:
            return work()
        except NotRegistered as error:
            plan, _ = self.look.get(plan_id)
            folder = home_of(plan)
            if folder is None or folder == self.folder:
                raise
            from shlex import quote

            line = to_type(self, verb, quote(plan_id), elsewhere=True)
            raise NotRegistered(
                error.what, where=error.where, fix=f"Type: cd {quote(folder)} && {line}"
            ) from error

    def close(self) -> None:
        """Give back what the store holds open."""
        if "look" in self.__dict__:
            self.look.close()
        if "store" in self.__dict__:
            self.store.close()

    def missing(self, error: UnknownPlan) -> UnknownPlan:
        """Return the error with the place where the plan was looked for."""
        place = self.where
        fix = f"The plans of this place: {to_type(self, 'journal')}"
        if not self.store.durable:
            fix = "No plan outlives the program there: it is kept in memory."
        if not self.has_store:
            fix = "There is no store there yet; the first proposal makes it."
        return UnknownPlan(error.what, where=f"{place['where']} ({place['why']})", fix=fix)

    def _rebuilt(self, definition: Any) -> Any:
        from lastlook.planning.commands import CommandTool

        return CommandTool.from_definition(definition, output_to_stderr=self.output.json)

    def _own(self) -> Lastlook:
        from lastlook.app import Lastlook

        config = self.config
        sources: Any = {} if config is None else {n: config.source(n) for n in config.sources}
        return Lastlook(sources=sources, store=self.store, asker=self._asker)

    def _opened(self) -> Store:
        """Return the store, or an empty one where there is none and none is to be made."""
        from lastlook.stores.location import MEMORY
        from lastlook.stores.memory import MemoryStore
        from lastlook.stores.sqlite import SqliteStore

        place = self.location
        if place.path == MEMORY or not (self._makes_store or self.has_store):
            return MemoryStore(place.why)
        return SqliteStore(place.path, why=place.why, hidden=place.hidden)

    def _imported(self, spec: str) -> Lastlook:
        if self.store_spec is not None or self.config_path is not None:
            raise Usage(
                "--app goes without --store and --config",
                fix="The application says where its store and its sources are.",
            )
        from lastlook.cli.application import imported

        return imported(spec, folder=self.folder)
