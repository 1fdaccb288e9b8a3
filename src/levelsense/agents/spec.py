"""The options of agents, and how specs write them: `mcts:simulations=200,playout=heuristic`."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from levelsense.errors import AgentError

Value = int | float | bool | str
NO_WEIGHTS: Final = "none"
_ON, _OFF = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


@dataclass(frozen=True)
class Option:
    """An option of an agent. `kind` is one of int, float, bool, choice, weights and file.

    `choices` of weights holds the family that they are for, `shipped` the name of those that are taken if
    none are written. That is their default, too, unless only some settings use weights: `used_by` lists
    these, as pairs of an option and its value, and the default is NO_WEIGHTS.
    A file has no default, and `choices` holds its form.
    """

    name: str
    kind: str
    default: Value
    help: str
    low: float = 0
    high: float = 1
    choices: tuple[str, ...] = ()
    shipped: str = ""
    used_by: tuple[tuple[str, str], ...] = ()

    @property
    def is_required(self) -> bool:
        """Whether a spec must set it."""
        return self.kind == "file"

    @property
    def default_text(self) -> str:
        """Its default as specs write it; `FILE` for a file, which has none."""
        return "FILE" if self.is_required else self.write(self.default)

    @property
    def range(self) -> str:
        """The values that it takes, in words."""
        if self.kind == "bool":
            return "true or false"
        if self.kind == "choice":
            return ", ".join(self.choices)
        if self.kind == "weights":
            sources = "a name of shipped weights, a file that a training wrote"
            return f"{NO_WEIGHTS}, {sources}" if self.used_by else sources
        if self.kind == "file":
            return f"an {self.choices[0]} file"
        return f"{self.low:,.10g} to {self.high:,.10g}"

    @property
    def expected(self) -> str:
        """What a value has to be, in words."""
        before = {"int": "a whole number from ", "float": "a number from ", "choice": "one of "}
        return before.get(self.kind, "") + self.range

    def read(self, text: str) -> Value:
        """The value that a text means; ValueError, with the reason, if it means none."""
        if self.kind == "bool":
            if text not in _ON + _OFF:
                raise ValueError("not a switch")
            return text in _ON
        if self.kind == "choice":
            if text not in self.choices:
                raise ValueError("no such choice")
            return text
        if self.kind == "weights":
            if self.used_by and text == NO_WEIGHTS:
                return text
            # Imported here: the table of agents is read without NumPy.
            from levelsense.agents.weights import canonical_source

            return canonical_source(text, self.choices[0])
        if self.kind == "file":
            from levelsense.agents.weights import canonical_file

            return canonical_file(text)
        return self._read_number(text)

    def _read_number(self, text: str) -> int | float:
        try:
            number = int(text) if self.kind == "int" else float(text)
        except ValueError:
            is_whole = self.kind == "int"
            raise ValueError("not a whole number" if is_whole else "not a number") from None
        if math.isnan(number):
            raise ValueError("not a number")
        if not self.low <= number <= self.high:
            raise ValueError("out of range")
        return number + 0  # minus zero becomes zero: the same agent has one spec

    def write(self, value: Value) -> str:
        """A value as it stands in a canonical spec: the shortest text that means it."""
        if isinstance(value, bool):
            return "true" if value else "false"
        return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)

    def is_written(self, value: Value) -> bool:
        """Whether a canonical spec writes a value: all but defaults, and weights wherever they are used."""
        return value != self.default or (self.kind == "weights" and value != NO_WEIGHTS)

    def code(self, value: Value) -> float:
        """The number that kernels get for a value: a choice is its index, a switch 0 or 1, files 0."""
        if self.kind in ("weights", "file"):
            return 0.0
        return float(self.choices.index(str(value)) if self.kind == "choice" else value)


def whole(name: str, default: int, low: int, high: int, help: str) -> Option:
    """An option that is a whole number."""
    return Option(name, "int", default, help, low, high)


def number(name: str, default: float, low: float, high: float, help: str) -> Option:
    """An option that is a number."""
    return Option(name, "float", float(default), help, low, high)


def switch(name: str, default: bool, help: str) -> Option:
    """An option that is on or off."""
    return Option(name, "bool", default, help)


def choice(name: str, choices: tuple[str, ...], help: str) -> Option:
    """An option that is one of `choices`; the first is its default."""
    return Option(name, "choice", choices[0], help, choices=choices)


def weights(
    name: str, kind: str, shipped: str, help: str, used_by: tuple[tuple[str, str], ...] = ()
) -> Option:
    """An option that is weights of a kind; `shipped` names those that are taken if none are written.

    Specs write it wherever weights are used: always, or by the settings in `used_by`. So attempts that are
    stored by spec never mix those of different weights.
    """
    default = NO_WEIGHTS if used_by else shipped
    return Option(name, "weights", default, help, choices=(kind,), shipped=shipped, used_by=used_by)


def file(name: str, form: str, help: str) -> Option:
    """An option that is a file of a form, such as ONNX. It has no default: specs must set it."""
    return Option(name, "file", "", help, choices=(form,))


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """The name in a spec and the text of each option; AgentError if it does not have the form of a spec."""
    name, colon, rest = (part.strip() for part in spec.partition(":"))
    if not name:
        raise AgentError(f"{spec!r}: no agent is named; expected random, or mcts:simulations=200")
    written: dict[str, str] = {}
    for part in rest.split(",") if colon else ():
        option, equals, text = (piece.strip() for piece in part.partition("="))
        if not (option and equals and text):
            raise AgentError(f"{part.strip()!r} in {spec!r}: not an option; expected name=value, as in c=0.6")
        if option in written:
            raise AgentError(f"option {option!r} of {name} is given twice: {written[option]} and {text}")
        written[option] = text
    return name, written


def read_options(
    family: str, options: tuple[Option, ...], written: Mapping[str, str], base: Mapping[str, Value]
) -> dict[str, Value]:
    """The value of every option of a family, in the table's order: as written, or else as in `base`.

    AgentError names an option that the family does not have or that is missing, or a value that the option
    does not take.
    """
    names = [option.name for option in options]
    for name in written:
        if name not in names:
            has = f"it has: {', '.join(names)}" if names else "it has no options"
            raise AgentError(f"unknown option {name!r} for {family}; {has}")
    values: dict[str, Value] = {}
    for option in options:
        text = written.get(option.name)
        try:
            values[option.name] = base[option.name] if text is None else option.read(text)
        except AgentError as error:
            raise AgentError(f"{option.name}={text} for {family}: {error}") from None
        except ValueError as error:
            raise AgentError(
                f"{option.name}={text} for {family}: {error}; expected {option.expected}"
            ) from None
        if option.is_required and not values[option.name]:
            raise AgentError(
                f"{family} without {option.name}; expected {family}:{option.name}={option.default_text}, "
                f"where the value is {option.range}"
            )
    for option in options:
        if option.used_by:
            values[option.name] = _weights_in_use(family, option, values, option.name in written)
    return values


def _weights_in_use(family: str, option: Option, values: Mapping[str, Value], is_written: bool) -> Value:
    """The weights that an agent plays by: as set, else the shipped ones if a setting uses weights, else none.

    AgentError if weights are written that nothing uses, or none where they are needed.
    """
    value = values[option.name]
    using = [f"{name}={setting}" for name, setting in option.used_by if values[name] == setting]
    if not using:
        if is_written and value != NO_WEIGHTS:
            settings = " or ".join(f"{name}={setting}" for name, setting in option.used_by)
            raise AgentError(
                f"{option.name}={value} for {family}: nothing uses it; expected {settings} with it"
            )
        return NO_WEIGHTS
    if value != NO_WEIGHTS:
        return value
    if is_written:
        raise AgentError(
            f"{option.name}={value} for {family}: {using[0]} needs weights; expected "
            + option.range.removeprefix(f"{NO_WEIGHTS}, ")
        )
    return option.shipped


def write_spec(family: str, options: tuple[Option, ...], values: Mapping[str, Value]) -> str:
    """The canonical spec of an agent: options in the table's order, those at their default left out.

    Weights that are used are never left out.
    """
    settings = [
        f"{option.name}={option.write(values[option.name])}"
        for option in options
        if option.is_written(values[option.name])
    ]
    return f"{family}:{','.join(settings)}" if settings else family
