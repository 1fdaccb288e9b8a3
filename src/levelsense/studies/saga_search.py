"""The 800/200 study with tree search among the agents: the same folder of results may go on with either."""

from levelsense.studies import saga_prediction
from levelsense.studies.page import StudyPage
from levelsense.studies.run import StudyRun

SEARCH_ATTEMPTS = {False: 100, True: 20}


def study(run: StudyRun) -> StudyPage:
    """Runs the study with attempts of a search agent."""
    return saga_prediction.study(run, SEARCH_ATTEMPTS[run.quick])
