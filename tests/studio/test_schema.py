"""Requests that the API's own description allows, and others: none ends in an error of the server."""

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from levelsense import Lab
from levelsense.studio.app import create_app
from levelsense.studio.context import Studio
from levelsense.studio.folder import LevelFolder
from levelsense.studio.guard import Access
from tests.studio.conftest import PORT
from tests.studio.test_levels import SMALL
from tests.studio.test_library import BROKEN, UNWINNABLE

EXAMPLES = 8
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
TAGS = ("agents", "changes", "games", "levels", "playtests", "predictions", "results", "saga")
# Routes that play nothing: they are given a level, too.
READING = ("/api/check", "/api/new", "/api/levels/{name}", "/api/levels/{name}/draft", "/api/games")
HOST = {"Host": f"127.0.0.1:{PORT}"}


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[schemathesis.BaseSchema]:
    """The description of a studio in this process, with levels in its folder that nobody can play."""
    folder = tmp_path_factory.mktemp("studio")
    (folder / "levels").mkdir()
    for name, text in {"broken": BROKEN, "never": UNWINNABLE}.items():
        (folder / "levels" / f"{name}.json").write_text(text)
    with Lab(folder / "studio.db") as lab:
        studio = Studio(lab, LevelFolder(folder / "levels"), threads=1)
        app = create_app(studio, Access(PORT))
        yield schemathesis.openapi.from_asgi("/api/openapi.json", app, headers=HOST)


def operations(api: schemathesis.BaseSchema) -> dict[str, schemathesis.APIOperation]:
    routes = {}
    for result in api.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        routes[operation.label] = operation
    return routes


def modes_of(operation: schemathesis.APIOperation) -> list[schemathesis.GenerationMode]:
    """What can be tried: a route that takes nothing cannot be asked wrongly."""
    takes = [*operation.path_parameters, *operation.query, *operation.headers, *operation.body]
    modes = schemathesis.GenerationMode
    return [modes.POSITIVE, modes.NEGATIVE] if takes else [modes.POSITIVE]


@pytest.mark.parametrize("tag", TAGS)
def test_no_request_is_an_error_of_the_server(api: schemathesis.BaseSchema, tag: str) -> None:
    of_tag = [one for one in operations(api).values() if (one.tags or [""])[0] == tag]
    assert of_tag
    for operation in of_tag:
        for mode in modes_of(operation):

            @given(case=operation.as_strategy(generation_mode=mode))
            @settings(
                max_examples=EXAMPLES,
                derandomize=True,
                deadline=None,
                database=None,
                suppress_health_check=list(HealthCheck),
            )
            def ask(case: schemathesis.Case) -> None:
                case.call_and_validate(checks=CHECKS, headers=HOST)
                if case.operation.path in READING and isinstance(case.body, dict) and "text" in case.body:
                    case.body["text"] = SMALL
                    case.call_and_validate(checks=CHECKS, headers=HOST)

            ask()


def test_every_route_is_tried(api: schemathesis.BaseSchema) -> None:
    assert {(one.tags or [""])[0] for one in operations(api).values()} == set(TAGS)
