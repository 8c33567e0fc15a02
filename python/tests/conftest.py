import numpy as np
import pytest


def pytest_configure(config):
    # What small data sets are warned of is no news here; tests that look for a warning see it.
    config.addinivalue_line("filterwarnings", "ignore::kernmix.KernmixWarning")


@pytest.fixture
def rng():
    return np.random.default_rng(0)
