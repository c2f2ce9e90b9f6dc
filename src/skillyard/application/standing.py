"""Skills as directories that stand, for programs that take a list of such directories."""

from pathlib import PurePath

from skillyard.application.choosing import ChosenSkills
from skillyard.application.ports.laid import LaidOut
from skillyard.application.ports.shelf import Shelf
from skillyard.domain.delivery import ChosenSkill
from skillyard.domain.resolution import Disposition, Resolution


def stand_skills(
    chosen: ChosenSkills, *, home: PurePath, shelf: Shelf, laid: LaidOut
) -> tuple[PurePath, ...]:
    """Give a directory for each skill that is loaded, in order; each is called like its skill.

    The same content stands in the same directory, whoever asks. It is verified now, and put right
    where somebody changed it; its files are not writable.

    Raises:
        StorageUnavailableError: The file system refused.
    """
    loaded = (one for one in chosen.skills if one.decision.disposition is Disposition.LOADED)
    return tuple(_stand(one, home, shelf, laid) for one in loaded)


def _stand(skill: ChosenSkill, home: PurePath, shelf: Shelf, laid: LaidOut) -> PurePath:
    name = str(skill.package.digest()).partition(":")[2]
    target = home / name / skill.decision.slug
    if not laid.is_there(str(target)):
        shelf.put_package(skill.package, target, read_only=True)
    elif laid.find_changes(skill.package, str(target)):
        shelf.replace_package(skill.package, target, read_only=True)
    return target


def list_disabled(resolution: Resolution) -> tuple[str, ...]:
    """Give the names of the skills that are known and not loaded, in order."""
    loaded = {one.slug for one in resolution.loaded}
    return tuple(sorted({one.slug for one in resolution.decisions} - loaded))
