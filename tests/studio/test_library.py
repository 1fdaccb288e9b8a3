"""Lists of levels, the saga and batches: what they say is what the commands say, and a list plays nothing."""

import csv
import io
import json
import os
import sys
from importlib.resources import files
from pathlib import Path

import polars as pl
import pytest
from starlette.testclient import TestClient

from levelsense import Lab, Level
from levelsense.agents.registry import parse_agent
from levelsense.playtest.levels import NamedLevel
from levelsense.prediction.explain import verdict_words
from levelsense.studio.context import Studio
from tests.studio.events import events
from tests.studio.test_estimates import HARD
from tests.studio.test_levels import SMALL

BROKEN = '{"name": "Broken", "moves": 3, "board": [". ."'
UNWINNABLE = SMALL.replace('{"icing": 1}', '{"icing": 3}')


@pytest.fixture
def folder(studio: Studio) -> Path:
    """Levels 2, 10 and 3, one that is broken and one that cannot be won."""
    path = studio.folder.path
    path.mkdir()
    for name, text in (("2-small", SMALL), ("10-hard", HARD), ("3-broken", BROKEN), ("4-never", UNWINNABLE)):
        (path / f"{name}.json").write_text(text)
    return path


def listed(client: TestClient, **query: str) -> dict[str, dict]:
    return {entry["name"]: entry for entry in client.get("/api/levels", params=query).json()["levels"]}


class TestList:
    def test_levels_are_listed_as_people_count(self, client: TestClient, folder: Path) -> None:
        assert list(listed(client)) == ["2-small", "3-broken", "4-never", "10-hard"]

    def test_an_entry_has_what_a_card_shows(self, client: TestClient, folder: Path) -> None:
        entry = listed(client)["2-small"]
        assert entry["text"] == SMALL
        assert entry["level"]["title"] == "Small"
        assert (entry["level"]["limit"], entry["level"]["unit"]) == (12, "moves")
        assert entry["level"]["elements"] == ["icing"]
        assert entry["problem"] is None
        assert entry["prediction"] is None

    def test_a_broken_file_is_listed_with_its_sentence(self, client: TestClient, folder: Path) -> None:
        entry = listed(client)["3-broken"]
        assert entry["level"] is None
        assert "line 1" in entry["problem"]
        assert "expected ]" in entry["problem"]
        assert entry["text"] == BROKEN
        assert entry["findings"]["error"] == 1

    def test_a_file_that_is_no_text_is_listed_too(self, client: TestClient, folder: Path) -> None:
        (folder / "5-bytes.json").write_bytes(b"\xff\xfe\x00")
        entry = listed(client)["5-bytes"]
        assert entry["text"] is None
        assert "UTF-8" in entry["problem"]

    def test_findings_are_counted(self, client: TestClient, folder: Path) -> None:
        assert listed(client)["4-never"]["findings"]["error"] == 1

    def test_it_comes_in_parts(self, client: TestClient, folder: Path) -> None:
        first = client.get("/api/levels", params={"limit": 3}).json()
        assert (len(first["levels"]), first["total"], first["next"]) == (3, 4, 3)
        rest = client.get("/api/levels", params={"offset": 3, "limit": 3}).json()
        assert ([entry["name"] for entry in rest["levels"]], rest["next"]) == (["10-hard"], None)

    def test_a_file_is_read_again_when_it_has_changed(self, client: TestClient, folder: Path) -> None:
        listed(client)
        (folder / "2-small.json").write_text(SMALL.replace("Small", "Other"))
        assert listed(client)["2-small"]["level"]["title"] == "Other"
        (folder / "2-small.json").unlink()
        assert "2-small" not in listed(client)

    def test_a_file_of_the_same_size_and_time_is_told_apart(self, client: TestClient, folder: Path) -> None:
        """As a save writes it within the same tick of the clock: it is another file."""
        listed(client)
        path, other = folder / "2-small.json", folder / "new"
        times = path.stat()
        other.write_text(SMALL.replace("Small", "Smell"))
        os.utime(other, ns=(times.st_atime_ns, times.st_mtime_ns))
        other.replace(path)
        assert listed(client)["2-small"]["level"]["title"] == "Smell"

    def test_drafts_are_named(self, client: TestClient, folder: Path, studio: Studio) -> None:
        studio.folder.keep_draft("begun", SMALL, None)
        assert client.get("/api/levels").json()["drafts"] == ["begun"]

    def test_examples_are_the_bundled_levels(self, client: TestClient) -> None:
        examples = client.get("/api/examples").json()
        assert [entry["name"] for entry in examples["levels"]] == client.get("/api/bundled").json()

    def test_a_list_plays_nothing(self, client: TestClient, folder: Path, studio: Studio) -> None:
        listed(client)
        client.get("/api/examples")
        client.get("/api/saga")
        assert studio.lab.is_new  # there is no database yet

    def test_what_is_known_is_what_predict_says(
        self, client: TestClient, folder: Path, studio: Studio
    ) -> None:
        (predicted,) = studio.lab.predict(folder / "10-hard.json", threads=1)
        entry = listed(client, target="0.4")["10-hard"]
        assert entry["prediction"]["rate"] == pytest.approx(predicted.rate, abs=1e-9)
        assert entry["prediction"]["band_95"] == pytest.approx(list(predicted.band_95), abs=1e-9)
        verdict = verdict_words(0.4, predicted.band_50, predicted.band_95)
        assert entry["prediction"]["verdict"] == verdict
        assert entry["prediction"]["simulated"] is True
        assert client.get("/api/levels/10-hard/prediction").json()["rate"] == entry["prediction"]["rate"]
        assert listed(client)["2-small"]["prediction"] is None
        assert client.get("/api/levels/2-small/prediction").json() is None
        assert client.get("/api/levels/none/prediction").status_code == 404
        (folder / "10-hard.json").write_text(HARD.replace("6", "7"))
        assert listed(client)["10-hard"]["prediction"] is None  # that of another level

    def test_a_database_that_cannot_be_read_hides_no_levels(
        self, client: TestClient, folder: Path, studio: Studio
    ) -> None:
        Path(studio.lab.database).write_bytes(b"no database")
        assert len(listed(client)) == 4


class TestSaga:
    def test_lists_judge_each_level_by_its_own_target(self, client: TestClient, folder: Path) -> None:
        client.put("/api/saga/targets/2-small", json={"target": 0.8})
        assert client.put("/api/saga/target", json={"target": 0.3}).json() == {"target": 0.3}
        answer = client.get("/api/levels").json()
        assert answer["target"] == 0.3
        assert {entry["name"]: entry["target"] for entry in answer["levels"]}["2-small"] == 0.8
        client.post("/api/predict", json={"text": SMALL, "name": "2-small"})
        assert listed(client)["2-small"]["prediction"]["target"] == 0.8
        assert listed(client, target="0.4")["2-small"]["prediction"]["target"] == 0.4
        assert client.get("/api/saga").json()["targets"] == {"2-small": 0.8}

    def test_order_and_targets_are_kept_beside_the_levels(
        self, client: TestClient, folder: Path, studio: Studio
    ) -> None:
        saga = client.get("/api/saga").json()
        assert [level["name"] for level in saga["levels"]] == ["2-small", "3-broken", "4-never", "10-hard"]
        wanted = {"order": ["10-hard", "2-small"], "target": 0.6, "targets": {"2-small": 0.8}}
        kept = client.put("/api/saga", json=wanted, headers={"If-Match": saga["etag"]})
        assert kept.status_code == 200
        again = client.get("/api/saga").json()
        assert [level["name"] for level in again["levels"]] == ["10-hard", "2-small", "3-broken", "4-never"]
        assert [level["target"] for level in again["levels"]] == [0.6, 0.8, 0.6, 0.6]
        assert again["etag"] == kept.json()["etag"] != saga["etag"]
        assert json.loads((folder / ".studio" / "saga.json").read_text()) == wanted

    def test_who_changes_an_old_version_learns_of_the_newer_one(
        self, client: TestClient, folder: Path
    ) -> None:
        old = client.get("/api/saga").json()["etag"]
        client.put("/api/saga", json={"target": 0.3}, headers={"If-Match": old})
        refused = client.put("/api/saga", json={"target": 0.7}, headers={"If-Match": old})
        assert refused.status_code == 412
        assert refused.json()["target"] == 0.3
        assert client.get("/api/saga").json()["target"] == 0.3

    @pytest.mark.parametrize(
        "wanted",
        [
            {"target": 0},
            {"target": 1},
            {"targets": {"a": 2}},
            {"order": ["../x"]},
            {"targets": {"../x": 0.5}},
            {"order": "a"},
            {"more": 1},
        ],
    )
    def test_what_makes_no_sense_is_told(self, client: TestClient, folder: Path, wanted: dict) -> None:
        answer = client.put("/api/saga", json=wanted)
        assert answer.status_code == 422
        assert answer.json()["problem"]
        assert not (folder / ".studio").exists()

    @pytest.mark.parametrize("content", ["", "[]", '{"target": 7}', '{"order": [1]}', "\x00"])
    def test_a_file_that_somebody_wrote_wrongly_counts_as_none(
        self, client: TestClient, folder: Path, content: str
    ) -> None:
        (folder / ".studio").mkdir()
        (folder / ".studio" / "saga.json").write_text(content)
        saga = client.get("/api/saga").json()
        assert (saga["target"], len(saga["levels"])) == (0.5, 4)

    @pytest.mark.parametrize("path", ["/api/saga", "/api/levels"])
    def test_the_last_part_has_no_next(self, client: TestClient, folder: Path, path: str) -> None:
        for limit, following in ((3, 3), (4, None), (5, None)):
            part = client.get(path, params={"limit": limit}).json()
            assert (part["next"], len(part["levels"])) == (following, min(limit, 4)), limit
        assert client.get(path, params={"limit": 3, "offset": 3}).json()["next"] is None

    def test_a_file_that_somebody_wrote_wrongly_is_not_written_over(
        self, client: TestClient, folder: Path
    ) -> None:
        """A comma too many in an order that took an hour: it is set aside, to be mended."""
        kept, wrong = folder / ".studio" / "saga.json", '{"order": ["10-hard", "2-small",]}'
        kept.parent.mkdir()
        kept.write_text(wrong)
        assert client.put("/api/saga/targets/2-small", json={"target": 0.3}).status_code == 200
        client.put("/api/saga/targets/2-small", json={"target": 0.4})
        assert json.loads(kept.read_text())["targets"] == {"2-small": 0.4}
        assert [path.read_text() for path in kept.parent.glob("saga-*.json")] == [wrong]

    def test_no_more_targets_than_levels(
        self, client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("levelsense.studio.saga.MOST_LEVELS", 2)
        for name, status in (("a", 200), ("b", 200), ("b", 200), ("c", 422)):
            answer = client.put(f"/api/saga/targets/{name}", json={"target": 0.3})
            assert answer.status_code == status, name
        assert "2 levels have targets already" in answer.json()["problem"]
        assert list(client.get("/api/saga").json()["targets"]) == ["a", "b"]

    def test_levels_that_miss_their_target_are_told_in_words(
        self, client: TestClient, folder: Path, studio: Studio
    ) -> None:
        (predicted,) = studio.lab.predict(folder / "2-small.json", threads=1)
        for target, outlier in ((predicted.band_95[0] / 2, "Easier than the target"), (predicted.rate, None)):
            client.put("/api/saga", json={"targets": {"2-small": round(target, 4)}})
            level = client.get("/api/saga").json()["levels"][0]
            assert (level["outlier"] is None) == (outlier is None)
            if outlier is not None:
                assert level["outlier"].startswith(outlier)
                assert "simulated players' attempts" in level["outlier"]


class TestBatches:
    def test_a_folder_is_predicted_as_the_command_does(
        self, client: TestClient, folder: Path, studio: Studio, tmp_path: Path
    ) -> None:
        client.put("/api/saga", json={"order": ["10-hard", "2-small"], "target": 0.4})
        stream = events(client, "/api/saga/predict", {})
        assert [data["name"] for kind, data in stream if kind == "level"] == ["10-hard", "2-small"]
        skipped = {data["name"]: data["problem"] for kind, data in stream if kind == "skipped"}
        assert set(skipped) == {"3-broken", "4-never"}
        assert "icing" in skipped["4-never"]
        assert stream[-1] == ("done", {"levels": 2, "skipped": 2})
        assert [data["done"] for kind, data in stream if kind == "progress"] == [0, 1, 2, 3, 4]
        answer = client.get("/api/saga/predictions.csv")
        assert answer.headers["content-type"].startswith("text/csv")
        rows = {row["level"]: row for row in csv.DictReader(io.StringIO(answer.text))}
        assert list(rows) == ["10-hard", "2-small"]
        levels = [NamedLevel(Level.load(folder / f"{name}.json"), (name,)) for name in ("10-hard", "2-small")]
        for predicted in Lab().predict(levels, target=0.4):
            row = rows[predicted.name]
            assert float(row["rate"]) == pytest.approx(predicted.rate)
            assert float(row["low_95"]) == pytest.approx(predicted.band_95[0])
            assert row["verdict"] == predicted.verdict
            assert float(row["random: success"]) == predicted.agents["random"]
            assert row["why"] == "; ".join(predicted.why)

    def test_some_levels_only(self, client: TestClient, folder: Path) -> None:
        body = {"names": ["2-small"], "agents": ["random"], "attempts": 20}
        stream = events(client, "/api/saga/playtest", body)
        assert [data["name"] for kind, data in stream if kind == "level"] == ["2-small"]
        missing = events(client, "/api/saga/predict", {"names": ["no-such"]})
        assert missing == [("problem", {"code": "no-such-level", "problem": "no-such: no such level"})]

    def test_a_playtest_is_that_of_the_command(self, client: TestClient, folder: Path) -> None:
        body = {"text": HARD, "name": "hard", "agents": ["random", "first"], "attempts": 60, "seed": 3}
        stream = dict(events(client, "/api/playtest", body))
        result = Lab().playtest(Level.from_json(HARD), ["random", "first"], 60, seed=3)
        assert [(row["agent"], row["wins"], row["attempts"]) for row in stream["result"]["rows"]] == [
            (pair.agent, pair.wins, pair.attempts) for pair in result.pairs
        ]
        stored = client.get("/api/results", params={"level": "10-hard"}).json()
        assert {(row["agent"], row["wins"]) for row in stored} == {
            (pair.agent, pair.wins) for pair in result.pairs
        }
        assert client.get("/api/results", params={"level": "10-hard", "agent": "ran*"}).json() == [
            row for row in stored if row["agent"] == "random"
        ]

    def test_predict_is_that_of_the_command(self, client: TestClient) -> None:
        answer = client.post("/api/predict", json={"text": HARD, "name": "hard", "target": 0.4}).json()
        level = NamedLevel(Level.from_json(HARD), ("hard",))
        (predicted,) = Lab().predict(level, target=0.4)
        expected = json.loads(json.dumps(predicted.as_data()))
        assert answer.keys() == expected.keys()
        assert answer["rate"] == pytest.approx(expected["rate"])
        assert answer["verdict"] == expected["verdict"]

    def test_a_level_that_cannot_be_won_is_a_sentence(self, client: TestClient) -> None:
        answer = client.post("/api/predict", json={"text": UNWINNABLE})
        assert answer.status_code == 422
        assert answer.json()["code"] == "bad-level"
        assert events(client, "/api/playtest", {"text": UNWINNABLE})[0][0] == "problem"

    @pytest.mark.parametrize(
        "spec",
        [
            "os:system",
            "tests.studio.test_library:test",
            "policy:model=/etc/passwd",
            "policy:model=weights.json",
            "onnx:model=network.onnx",
            "mcts:simulations=1000000",
            "mcts:seconds=3600",
            "halving:simulations=5000",
            "nobody",
            "",
            ":",
        ],
    )
    def test_agents_that_read_files_run_code_or_never_end_are_refused(
        self, client: TestClient, spec: str
    ) -> None:
        answer = client.post("/api/playtest", json={"text": SMALL, "agents": [spec]})
        assert answer.status_code == 422
        assert "agents.0" in answer.json()["problem"]

    def test_weights_of_a_file_are_not_read_and_modules_not_imported(
        self, client: TestClient, tmp_path: Path
    ) -> None:
        """Also where a command could: a whole file of weights, and a module that there is."""
        weights = tmp_path / "weights.json"
        shipped = files("levelsense.agents") / "shipped" / "simulated-2.json"
        weights.write_text(shipped.read_text("utf-8"))
        assert parse_agent(f"policy:model={weights}")
        for spec in (f"policy:model={weights}", f"mcts:prior=policy,model={weights}", "this:c"):
            answer = client.post("/api/playtest", json={"text": SMALL, "agents": [spec]})
            assert answer.status_code == 422, spec
        assert "this" not in sys.modules

    def test_agents_that_are_listed_may_be_named(self, client: TestClient) -> None:
        names = {agent["spec"] for agent in client.get("/api/agents").json()}
        assert {"random", "heuristic", "mcts", "policy"} <= names
        assert "onnx" not in names
        for spec in ("mcts-b1", "policy:model=simulated-2", "mcts:simulations=1000,prior=policy"):
            body = {"text": BROKEN, "agents": [spec]}
            assert client.post("/api/playtest", json=body).status_code == 200, spec

    def test_the_report_is_that_of_the_command(
        self, client: TestClient, folder: Path, studio: Studio
    ) -> None:
        stream = events(client, "/api/saga/report", {"names": ["2-small", "10-hard", "3-broken"]})
        (address,) = [data["address"] for kind, data in stream if kind == "ready"]
        answer = client.get(address)
        assert "attachment" in answer.headers["content-disposition"]
        levels = [NamedLevel(Level.load(folder / f"{n}.json"), (n,)) for n in ("2-small", "10-hard")]
        assert answer.text == studio.lab.report(levels, target=0.5, threads=1).html

    def test_few_reports_are_kept(self, client: TestClient, studio: Studio) -> None:
        for number in range(7):
            studio.folder.keep_report(f"{number:016x}", f"<p>{number}", 5)
            os.utime(studio.folder.reports / f"{number:016x}.html", ns=(number, number))
        statuses = [client.get(f"/api/saga/report/{number:016x}").status_code for number in range(7)]
        assert statuses == [404, 404, 200, 200, 200, 200, 200]
        assert client.get(f"/api/saga/report/{6:016x}").text == "<p>6"

    def test_nothing_is_predicted_yet(self, client: TestClient, folder: Path) -> None:
        answer = client.get("/api/saga/predictions.csv")
        assert answer.status_code == 409
        assert "POST /api/saga/predict" in answer.json()["problem"]


def test_players_and_telemetry_of_nobody(client: TestClient) -> None:
    assert client.get("/api/players").json() == []
    assert client.get("/api/telemetry").json() == {"games": [], "total": 0, "next": None}
    assert client.get("/api/telemetry/attempts.csv").status_code == 404
    assert client.get("/api/telemetry/positions.csv").status_code == 404


def test_testers_attempts_are_listed_and_downloaded(client: TestClient, tmp_path: Path) -> None:
    start = {"text": HARD, "name": "small", "tester": "Ada", "seed": 5}
    game = client.post("/api/games", json=start).json()
    move = client.post(f"/api/games/{game['id']}/hint").json()["move"]
    client.post(f"/api/games/{game['id']}/moves", json={"turn": 0, "move": move})
    client.post(f"/api/games/{game['id']}/leave")
    (row,) = client.get("/api/telemetry").json()["games"]
    assert (row["tester"], row["level"], row["seed"], row["ending"]) == ("Ada", "small", 5, "left")
    assert row["moves"] == [move]
    assert client.get("/api/telemetry", params={"tester": "Bob"}).json()["games"] == []
    assert client.get("/api/telemetry", params={"level": "other"}).json()["games"] == []
    attempts = list(csv.DictReader(io.StringIO(client.get("/api/telemetry/attempts.csv").text)))
    assert [(one["tester"], one["moves"]) for one in attempts] == [("Ada", "1")]
    path = tmp_path / "positions.csv"
    path.write_text(client.get("/api/telemetry/positions.csv").text)
    positions = pl.read_csv(path)
    assert positions["move"].to_list() == [move]
    checked = Lab().check_telemetry(path, [NamedLevel(Level.from_json(HARD), ("small",))])
    assert checked.wrong == 0
