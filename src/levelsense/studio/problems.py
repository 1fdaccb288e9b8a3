"""Errors of requests as answers: a status, a code for programs and a sentence for people."""

from collections.abc import Mapping
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from levelsense.errors import LevelError, LevelsenseError

MOST_SENTENCES: Final = 20


class ProblemAnswer(BaseModel):
    """What is wrong with a request."""

    code: str
    problem: str


# How the API's description has them: every route may answer so, also one that streams.
PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    "4XX": {
        "description": "What is wrong with the request, in a sentence.",
        "content": {"application/json": {"schema": ProblemAnswer.model_json_schema()}},
    }
}


class RequestError(Exception):
    """A request that cannot be answered: its status, a code, a sentence, and data that helps to go on."""

    def __init__(
        self, status: int, code: str, sentence: str, data: Mapping[str, Any] | None = None, **headers: str
    ) -> None:
        super().__init__(sentence)
        self.status, self.code, self.sentence = status, code, sentence
        self.data = dict(data or {})
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    def answer(self) -> JSONResponse:
        """The HTTP response."""
        content = {"code": self.code, "problem": self.sentence, **self.data}
        return JSONResponse(content, self.status, headers=self.headers)


def error_data(error: LevelsenseError) -> dict[str, Any]:
    """An error of the library as plain data; of a level, with the findings that the page marks."""
    if not isinstance(error, LevelError):
        return {"code": "refused", "problem": str(error)}
    from levelsense.advice.findings import problem_findings
    from levelsense.studio.level_data import finding_data

    findings = [finding_data(finding) for finding in problem_findings(error)]
    return {"code": "bad-level", "problem": findings[0]["sentence"], "findings": findings}


def handle_problems(app: FastAPI) -> None:
    """Makes an app answer errors with sentences."""

    @app.exception_handler(RequestError)
    async def refuse(_: Request, problem: RequestError) -> JSONResponse:
        return problem.answer()

    @app.exception_handler(LevelsenseError)
    async def explain(_: Request, error: LevelsenseError) -> JSONResponse:
        return JSONResponse(error_data(error), 422)

    @app.exception_handler(RequestValidationError)
    async def point_out(_: Request, error: RequestValidationError) -> JSONResponse:
        sentences = [
            f"{'.'.join(map(str, one['loc']))}: {one['msg'].removeprefix('Value error, ')}"
            for one in error.errors()[:MOST_SENTENCES]
        ]
        return JSONResponse({"code": "bad-request", "problem": "; ".join(sentences)}, 422)

    @app.exception_handler(HTTPException)
    async def say(_: Request, error: HTTPException) -> JSONResponse:
        content = {"code": f"http-{error.status_code}", "problem": str(error.detail)}
        return JSONResponse(content, error.status_code, headers=error.headers)
