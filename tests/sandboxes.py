"""The mark for tests of agents in the strongest sandbox."""

import os

import pytest

from shoverworld.sandbox import Protection

# In CI, where .ci/run installs bubblewrap, these tests fail without it instead of being skipped.
needs_bubblewrap = pytest.mark.skipif(
    not Protection.BUBBLEWRAP.available() and os.environ.get("CI", "").lower() not in ("1", "true", "yes"),
    reason="bubblewrap does not work here; on Debian: apt-get install bubblewrap",
)
