"""Finding studies: every module of this package that ends with `STUDY = Study(...)`."""

import pkgutil
from importlib import import_module

import plies.studies
from plies.core.spec import suggestion
from plies.errors import BadSpec
from plies.studies.study import Study


def studies() -> dict[str, Study]:
    """All of them by name, in alphabetical order."""
    modules = (
        import_module(f"plies.studies.{module.name}")
        for module in pkgutil.iter_modules(plies.studies.__path__)
        if not module.ispkg
    )
    found = [module.STUDY for module in modules if hasattr(module, "STUDY")]
    return {study.name: study for study in sorted(found, key=lambda study: study.name)}


def study(name: str) -> Study:
    """The one of that name."""
    known = studies()
    if name not in known:
        raise BadSpec(f"there is no study {name}{suggestion(name, known)}")
    return known[name]
