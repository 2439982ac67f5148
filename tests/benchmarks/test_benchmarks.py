"""The benchmark's counts are exact, so that its rates come from the right work."""

import importlib.util
from pathlib import Path

PATH = Path(__file__).parents[2] / "benchmarks" / "run.py"


def test_every_benchmark_does_exactly_the_work_it_says() -> None:
    spec = importlib.util.spec_from_file_location("benchmark_run", PATH)
    assert spec is not None
    assert spec.loader is not None
    benchmark = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(benchmark)
    done = {(work.game, work.work): work.run() for work in benchmark.works()}
    assert done == {(work.game, work.work): work.expected for work in benchmark.works()}
