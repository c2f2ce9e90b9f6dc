"""Copy a skill under another name."""

from dataclasses import dataclass, replace

from skillyard.application.lookup import get_skill, get_version
from skillyard.application.ports.clock import Clock
from skillyard.application.ports.ids import IdSource
from skillyard.application.ports.store import Store
from skillyard.application.save import SavedSkill, SaveSkill, save_skill
from skillyard.domain.facts import FactChanges
from skillyard.domain.manifest import Confidence
from skillyard.domain.names import parse_name
from skillyard.domain.skill import UNPROVEN, Actor, Skill, SkillVersion, SourceKind
from skillyard.domain.version import Version
from skillyard.skillmd.check import STANDARD_JUDGEMENT, Judgement
from skillyard.skillmd.compose import rename_package


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateSkill:
    """The wish for a copy of a skill, at one of its versions, as the new skill `slug`."""

    reference: str
    slug: str
    version: Version | None = None
    judgement: Judgement = STANDARD_JUDGEMENT


def duplicate_skill(
    wish: DuplicateSkill,
    *,
    store: Store,
    clock: Clock,
    ids: IdSource,
    actor: Actor,
    dry_run: bool = False,
) -> SavedSkill:
    """Make a new skill with the content of another one; assignments are not copied.

    A copy is not trusted further than what it was copied from.

    Raises:
        InvalidNameError: The slug is none for a new skill.
        SlugTakenError: There is a skill of that slug.
    """
    slug = parse_name(wish.slug, new=True)
    with store.view() as view:
        original = get_skill(wish.reference, transaction=view)
        version = get_version(original, wish.version, transaction=view)
        package = view.packages.get(version.digest)
    save = SaveSkill(
        package=rename_package(package, slug, limits=wish.judgement.limits),
        directory=slug,
        location=f"skill:{original.reference}@{version.version}",
        kind=_kind_of_copy(version),
        changes=_facts_of_copy(original),
        must_be_new=True,
        judgement=wish.judgement,
    )
    return save_skill(save, store=store, clock=clock, ids=ids, actor=actor, dry_run=dry_run)


def _kind_of_copy(version: SkillVersion) -> SourceKind:
    return version.source_kind if version.source_kind in UNPROVEN else SourceKind.ADMIN


def _facts_of_copy(original: Skill) -> FactChanges:
    facts = original.facts
    changes = FactChanges(
        category=facts.category,
        tags=facts.tags,
        requires_tools=facts.requires_tools,
        requires=facts.requires,
        provider_hints=facts.provider_hints,
        install_strategy=facts.install_strategy,
        author=facts.author,
    )
    if facts.confidence is Confidence.LOW:
        return replace(changes, confidence=Confidence.LOW)
    return changes
