"""The study of Gudmundsson et al. (2018): networks that learn moves, and the difficulty that they predict."""

from dataclasses import asdict

from levelsense.learning import require_torch
from levelsense.studies.king.plan import EXTENT, NAME, make_saga
from levelsense.studies.page import StudyPage
from levelsense.studies.run import StudyRun


def study(run: StudyRun) -> StudyPage:
    """Runs the study and gives its page; TrainingError if PyTorch is not installed."""
    require_torch()
    from levelsense.studies.king import conclusions, predictions, sections, work

    run.claim(NAME, **asdict(EXTENT[run.quick]))
    saga = make_saga(run)
    players = work.simulate_players(saga)
    legal = work.learn_legal_swaps(saga)
    table_one, search = work.learn_from_search(saga, legal)
    learned = work.learn_from_players(saga, legal)
    agents = work.play_agents(saga, search, learned)
    found = predictions.make_predictions(saga, players, agents)
    page = StudyPage(NAME, "Networks that learn moves, and the difficulty that they predict")
    sections.introduce(page, saga, players)
    page.heading("The findings")
    page.findings(
        [
            *sections.table_one_findings(table_one, legal),
            *sections.player_findings(table_one, learned),
            *conclusions.table_two_findings(saga, agents, found),
        ]
    )
    sections.warn_of_blind_network(page, learned)
    sections.tell_table_one(page, saga, table_one)
    sections.tell_training(page, saga, legal, table_one, learned)
    sections.tell_player_moves(page, saga, learned)
    predictions.tell_table_two(page, saga, players, agents, learned, found)
    predictions.tell_attempts(page, saga, found)
    predictions.tell_costs(page, saga, agents)
    predictions.tell_greedy(page, saga, players, agents, found)
    sections.tell_retraining(page, saga, learned)
    predictions.tell_retrained_predictions(page, saga, players, agents)
    predictions.tell_time(page, legal, table_one, learned, agents)
    conclusions.conclude(page, saga, players, agents, learned, found)
    return page
