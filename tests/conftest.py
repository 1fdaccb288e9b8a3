"""What all tests share."""

import os

from hypothesis import settings

# How long an example takes says nothing on a busy machine. CI tries the same examples each time, so that it
# fails for a change and not by chance; everybody else tries new ones.
settings.register_profile("patient", deadline=None, derandomize="LEVELSENSE_SAME_EXAMPLES" in os.environ)
settings.load_profile("patient")
