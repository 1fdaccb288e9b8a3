"""A model's file: JSON that a person can read, checked when it is read."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final, Self

import numpy as np
from pydantic import Field, ValidationError, model_validator

from levelsense.errors import PredictionError
from levelsense.game.state import RULES_VERSION
from levelsense.json_text import NotJsonError, parse_json
from levelsense.level.problems import shown
from levelsense.people.persistence import Persistence
from levelsense.prediction.cohorts import CohortEffect
from levelsense.prediction.covariates import Covariates, KnownRange, Scale
from levelsense.prediction.features import FEATURES, MEASURES
from levelsense.prediction.mixed.binomial import MixedBinomial
from levelsense.prediction.mixed.calibration import SigmaCurve
from levelsense.prediction.mixed.fit_data import Above0, AtLeast0, FitData, Flag, Number, Part, Text, Whole
from levelsense.prediction.populations import FEWEST_POPULATIONS, Populations

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from levelsense.prediction.model import DifficultyModel

FORMAT: Final = 3


@dataclass(frozen=True)
class Origin:
    """What a model was fitted to, in words that are kept with it."""

    levels: int
    players: str = ""  # whose results
    simulated: bool = False
    attempts: Mapping[str, int] = field(default_factory=dict)  # of each agent at a level
    persistence: Persistence | None = None  # how players try again and give up, if it is known who played


def _persistence_data(persistence: Persistence | None) -> dict[str, Any]:
    return {} if persistence is None else {"persistence": asdict(persistence)}


def _cohorts_data(cohorts: Mapping[str, CohortEffect]) -> dict[str, Any]:
    return {"cohorts": {name: asdict(effect) for name, effect in cohorts.items()}} if cohorts else {}


def as_data(model: "DifficultyModel") -> dict[str, Any]:
    """The contents of a model's file."""
    return {
        "levelsense model": FORMAT,
        "about": {
            "levels": model.origin_.levels,
            "players": model.origin_.players,
            "simulated": model.origin_.simulated,
            **_persistence_data(model.origin_.persistence),
            **_cohorts_data(model.cohorts_),
            "rules": RULES_VERSION,
        },
        "agents": dict(model.origin_.attempts),
        "measures": list(model.columns_.measures),
        "features": list(model.columns_.features),
        "columns": [
            {
                "name": name,
                "slope": slope,
                "error": error,
                "center": center,
                "spread": spread,
                "least": least,
                "most": most,
                "beyond": beyond,
            }
            for name, slope, error, center, spread, least, most, beyond in zip(
                model.columns_.names,
                model.slopes_.tolist(),
                (model.mixed_.se_[1:] * model.scale_.freedom).tolist(),
                model.scale_.center.tolist(),
                model.scale_.spread.tolist(),
                model.known_range_.least.tolist(),
                model.known_range_.most.tolist(),
                model.known_range_.slopes.tolist(),
                strict=True,
            )
        ],
        "parts": sorted(model.known_range_.parts),
        "unseen": model.known_range_.unseen,
        "sigma curve": {"slope": model.curve_.slope, "bend": model.curve_.bend},
        "places": model.places_ if model.populations_ is None else {},
        "populations": None if model.populations_ is None else model.populations_.as_data(),
        "rates": [float(rate) for rate in model.rates_],
        "intercept": float(model.mixed_.coef_[0]),
        "sigma": model.mixed_.sigma_,
        "penalty": model.penalty_,
        "penalty chosen": model.chosen_,
        "fit": model.mixed_.as_data(),
    }


def as_text(data: dict[str, Any]) -> str:
    """The text of a file: matrices as rows, so that a person can read past them."""
    return _compact(json.dumps(_rounded(data), indent=1)) + "\n"


def fill(model: "DifficultyModel", text: str, name: str) -> None:
    """Fills a model from the text of a file; PredictionError, with the file's name, if it holds none."""
    try:
        _fill(model, _ModelData.model_validate(_checked_data(text, name)))
    except ValidationError as error:
        problem = _sentence(error.errors(include_url=False)[0])
        raise PredictionError(f"{name}: a damaged model: {problem}; fit it again") from None


def _checked_data(text: str, name: str) -> dict[str, Any]:
    """What the file of a model says, if it is one that can be read here."""
    try:
        data = parse_json(text, nan=True)
    except NotJsonError as error:
        raise PredictionError(
            f"{name}: {error.problem}; expected a model that `levelsense fit` wrote", error.excerpt
        ) from None
    if not isinstance(data, dict) or "levelsense model" not in data:
        raise PredictionError(f"{name}: not a model; expected a file that `levelsense fit` wrote")
    if data["levelsense model"] != FORMAT:
        raise PredictionError(
            f"{name}: a model of format {data['levelsense model']}; this levelsense reads format {FORMAT}: "
            "fit it again"
        )
    about = data.get("about")
    rules = about.get("rules") if isinstance(about, dict) else RULES_VERSION
    if rules != RULES_VERSION:
        raise PredictionError(
            f"{name}: a model of version {rules} of the rules, which are at version {RULES_VERSION} now: "
            "fit it again"
        )
    return data


class _PersistenceData(Part):
    spread: Above0
    quits: Annotated[Above0, Field(lt=1)]


class _CohortData(Part):
    offset: Number
    error: AtLeast0


class _About(Part):
    levels: Whole
    players: Text
    simulated: Flag
    persistence: _PersistenceData | None = None
    cohorts: dict[Text, _CohortData] = Field(default_factory=dict)


class _Column(Part):
    name: Text
    slope: Number
    error: AtLeast0
    center: Number
    spread: Above0
    least: Number
    most: Number
    beyond: AtLeast0


class _CurveData(Part):
    slope: Number
    bend: Number


class _PopulationsData(Part):
    """What `Populations.as_data` wrote, checked."""

    names: Annotated[list[Text], Field(min_length=FEWEST_POPULATIONS)]
    center: Number
    shift: AtLeast0
    slope: AtLeast0
    sigma: Above0
    sigma_spread: Annotated[Above0, Field(alias="sigma spread")]


class _ModelData(Part):
    """What the file of a model says, checked."""

    about: _About
    agents: dict[Text, Whole]  # the attempts of each at a level
    measures: list[Text]
    features: list[Text]
    columns: list[_Column]
    parts: list[Text]
    unseen: AtLeast0
    sigma_curve: Annotated[_CurveData, Field(alias="sigma curve")]
    places: dict[Text, Number]
    populations: _PopulationsData | None
    rates: Annotated[list[Annotated[Number, Field(ge=0, le=1)]], Field(min_length=2)]
    intercept: Number
    penalty: AtLeast0
    penalty_chosen: Annotated[Flag, Field(alias="penalty chosen")]
    fit: FitData

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        unknown = {*self.measures} - {*MEASURES} | {*self.features} - {*FEATURES}
        if unknown:
            raise ValueError(f"unknown columns {', '.join(sorted(unknown))}")
        if [column.name for column in self.columns] != list(self.covariates.names):
            raise ValueError("the columns are not those of its agents, measures and features")
        return self

    @model_validator(mode="after")
    def _check_fit(self) -> Self:
        """The columns' coefficients, for readers, must be those of the fit, by which predictions are made."""
        coefficients, expected = len(self.fit.coefficients), len(self.columns) + 1
        if coefficients != expected:
            raise ValueError(f"{coefficients} coefficients; expected {expected}")
        freedom = np.array([1.0, *self.covariates.freedom])
        slopes = [self.intercept, *(column.slope for column in self.columns)]
        if not np.allclose(slopes, self.fit.coefficients * freedom, rtol=1e-4, atol=1e-9):
            raise ValueError("the slopes of its columns are not those of its fit")
        errors = [column.error for column in self.columns]
        variances = np.diag(np.array(self.fit.covariance, float))[1:-1]
        if not np.allclose(errors, np.sqrt(variances) * freedom[1:], rtol=1e-4, atol=1e-9):
            raise ValueError("the errors of its columns are not those of its fit")
        return self

    @property
    def covariates(self) -> Covariates:
        return Covariates(tuple(self.agents), tuple(self.measures), tuple(self.features))


# What was expected, by the kind of Pydantic's errors.
_EXPECTED: Final = {
    "bool_type": "true or false",
    "dict_type": "an object",
    "finite_number": "a number",
    "float_type": "a number",
    "greater_than": "a number above {gt:g}",
    "greater_than_equal": "a number of at least {ge:g}",
    "int_type": "a whole number",
    "less_than": "a number below {lt:g}",
    "less_than_equal": "a number of at most {le:g}",
    "list_type": "a list",
    "model_type": "an object",
    "string_type": "text",
    "too_short": "a list of at least {min_length}",
}


def _sentence(detail: "ErrorDetails") -> str:
    """What is wrong with a model's file: where, the value, and what was expected."""
    kind, place, context = detail["type"], detail["loc"], detail.get("ctx", {})
    where = _where(place)
    if kind == "missing":
        around = _where(place[:-1])
        return f"{around}: no {place[-1]!r}" if around else f"no {place[-1]!r}"
    if kind == "value_error":
        return f"{where}, {context['error']}" if where else str(context["error"])
    expected = _EXPECTED[kind].format(**context) if kind in _EXPECTED else detail["msg"]
    return f"{where}: {shown(detail['input'])}; expected {expected}"


def _where(place: Sequence[str | int]) -> str:
    """A place in words, entries of lists counted from 1: 'fit, grid 1, covariance 2, 3'."""
    words = ""
    for part, before in zip(place, [None, *place], strict=False):
        is_entry = isinstance(part, int)
        gap = "" if before is None else " " if is_entry and isinstance(before, str) else ", "
        words += f"{gap}{part + 1 if isinstance(part, int) else part}"
    return words


def _fill(model: "DifficultyModel", data: _ModelData) -> None:
    model.columns_ = data.covariates
    model.agents = model.columns_.agents
    center, spread, least, most, errors, beyond = (
        np.array([getattr(column, key) for column in data.columns], float)
        for key in ("center", "spread", "least", "most", "error", "beyond")
    )
    model.scale_ = Scale(center, spread, model.columns_.freedom)
    model.known_range_ = KnownRange(least, most, frozenset(data.parts), beyond, data.unseen)
    model.curve_ = SigmaCurve(data.sigma_curve.slope, data.sigma_curve.bend)
    model.places_, model.rates_ = data.places, np.array(data.rates)
    if data.populations is not None:
        of = data.populations
        model.populations_ = Populations(
            tuple(of.names), of.center, of.shift, of.slope, of.sigma, of.sigma_spread
        )
    model.penalty_, model.chosen_ = data.penalty, data.penalty_chosen
    model.mixed_ = MixedBinomial.from_data(data.fit)
    # As they were rounded for the file, so that a model that is saved again gives the same file.
    model.mixed_.se_[1:] = errors / model.scale_.freedom
    about = data.about
    known = about.persistence
    persistence = None if known is None else Persistence(known.spread, known.quits)
    model.cohorts_ = {name: CohortEffect(of.offset, of.error) for name, of in about.cohorts.items()}
    model.origin_ = Origin(about.levels, about.players, about.simulated, data.agents, persistence)


def _rounded(data: Any) -> Any:
    """Data with its numbers to six digits, which is more than they are known to."""
    if isinstance(data, float):
        return float(f"{data:.6g}")
    if isinstance(data, dict):
        return {key: _rounded(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_rounded(value) for value in data]
    return data


def _compact(text: str) -> str:
    """Indented JSON with every list of numbers on one line."""
    return re.sub(
        r"\[[\s\d.,eE+-]*?\]",
        lambda match: re.sub(r"\s+", " ", match[0]).replace("[ ", "[").replace(" ]", "]"),
        text,
    )
