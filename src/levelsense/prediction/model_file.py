"""A model's file: JSON that a person can read, checked when it is read."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from levelsense.errors import PredictionError
from levelsense.game.state import RULES_VERSION
from levelsense.json_text import NotJsonError, parse_json
from levelsense.prediction.covariates import Covariates, Scale, Seen
from levelsense.prediction.features import FEATURES
from levelsense.prediction.measures import MEASURES
from levelsense.prediction.mixed.binomial import MixedBinomial

if TYPE_CHECKING:
    from levelsense.prediction.model import DifficultyModel

FORMAT: Final = 2


@dataclass(frozen=True)
class Origin:
    """What a model was fitted to, in words that are kept with it."""

    levels: int
    players: str = ""  # whose results
    simulated: bool = False
    attempts: Mapping[str, int] = field(default_factory=dict)  # of each agent at a level


def as_data(model: "DifficultyModel") -> dict[str, Any]:
    """Everything the model knows, as its file says it."""
    return {
        "levelsense model": FORMAT,
        "about": {
            "levels": model.origin_.levels,
            "players": model.origin_.players,
            "simulated": model.origin_.simulated,
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
            }
            for name, slope, error, center, spread, least, most in zip(
                model.columns_.names,
                model.slopes_.tolist(),
                (model.mixed_.se_[1:] * model.scale_.freedom).tolist(),
                model.scale_.center.tolist(),
                model.scale_.spread.tolist(),
                model.seen_.least.tolist(),
                model.seen_.most.tolist(),
                strict=True,
            )
        ],
        "parts": sorted(model.seen_.parts),
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
    """Gives a model what the text of a file says; PredictionError, with the file's name, if it says none."""
    data = _checked_data(text, name)
    try:
        _fill(model, data)
    except KeyError as error:
        raise PredictionError(f"{name}: a damaged model: no {error}; fit it again") from None
    except (ValueError, PredictionError) as error:
        raise PredictionError(f"{name}: a damaged model: {error}; fit it again") from None
    except (TypeError, IndexError, AttributeError):
        raise PredictionError(f"{name}: a damaged model: not laid out as one; fit it again") from None


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


def _fill(model: "DifficultyModel", data: dict[str, Any]) -> None:
    about = data["about"]
    agents = {str(agent): int(number) for agent, number in data["agents"].items()}
    unknown = {*data["measures"]} - {*MEASURES} | {*data["features"]} - {*FEATURES}
    if unknown:
        raise ValueError(f"unknown columns {', '.join(sorted(unknown))}")
    model.agents = tuple(agents)
    model.columns_ = Covariates(tuple(agents), tuple(data["measures"]), tuple(data["features"]))
    columns = data["columns"]
    if [column["name"] for column in columns] != list(model.columns_.names):
        raise ValueError("the columns are not those of its agents, measures and features")
    center, spread, least, most = (
        np.array([column[key] for column in columns], float) for key in ("center", "spread", "least", "most")
    )
    if not (np.isfinite([center, spread, least, most]).all() and (spread > 0).all()):
        raise ValueError("columns: expected numbers, and spreads above 0")
    model.scale_ = Scale(center, spread, model.columns_.freedom)
    model.seen_ = Seen(least, most, frozenset(data["parts"]))
    model.penalty_, model.chosen_ = float(data["penalty"]), bool(data["penalty chosen"])
    model.mixed_ = MixedBinomial.from_data(data["fit"])
    if len(model.mixed_.coef_) != len(columns) + 1:
        raise ValueError(f"{len(model.mixed_.coef_)} coefficients; expected {len(columns) + 1}")
    told = np.array([data["intercept"], *(column["slope"] for column in columns)], float)
    if not np.allclose(told, [model.mixed_.coef_[0], *model.slopes_], rtol=1e-4, atol=1e-9):
        raise ValueError("the slopes of its columns are not those of its fit")
    model.origin_ = Origin(int(about["levels"]), str(about["players"]), bool(about["simulated"]), agents)


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
        lambda found: re.sub(r"\s+", " ", found[0]).replace("[ ", "[").replace(" ]", "]"),
        text,
    )
