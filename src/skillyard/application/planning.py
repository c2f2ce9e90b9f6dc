"""Plan what a run is given: skills, settings, variables and prompt text, for one provider.

Nothing is read or written. What the client will make of each skill is worked out from the very
bytes that it will be given.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from skillyard.application.ports.workspace import SkillSearch, Walk
from skillyard.disclosure.fallback import PromptSkill, render_fallback
from skillyard.disclosure.tier2 import list_supporting
from skillyard.domain.client import Client, Dialect, SkillSettings
from skillyard.domain.delivery import ChosenSkill, DeliveryPlan, Note, NoteKind
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.manifest import Confidence, Invocation
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.paths import SKILL_MD, parse_path
from skillyard.domain.resolution import Disposition
from skillyard.providers.clients import CLIENTS
from skillyard.providers.fates import PreparedSkill
from skillyard.providers.planning import PlannedText, TextSkill, plan_delivery
from skillyard.providers.setting import PROMPT, DeliverySetting
from skillyard.skillmd.declare import declare, declare_in_yaml, withdraw
from skillyard.skillmd.findings import Findings
from skillyard.skillmd.frontmatter import read_document
from skillyard.skillmd.rules import Profile
from skillyard.skillmd.verdict.judge import ClientVerdict, judge_for_client

WIDENING: Final = ("allowed-tools", "hooks")
"""Fields by which a skill gives itself permissions, or runs commands unasked."""
_POLICY_FILE: Final = parse_path("agents/openai.yaml")
_POLICY: Final = ("policy", "allow_implicit_invocation")


def plan_run(
    skills: Sequence[ChosenSkill], setting: DeliverySetting, *, limits: Limits = STANDARD
) -> DeliveryPlan:
    """Plan how the skills of a resolution, the most important first, are delivered.

    The same skills and setting give the same plan. `limits` are those that front matter is read
    within.
    """
    return plan_prepared(prepare_skills(skills, setting, limits=limits), setting, limits=limits)


def prepare_skills(
    skills: Sequence[ChosenSkill], setting: DeliverySetting, *, limits: Limits = STANDARD
) -> tuple[PreparedSkill, ...]:
    """Put skills into the words of a client; where they will stand does not matter."""
    return tuple(_prepare(one, setting, limits) for one in skills)


def plan_prepared(
    skills: Sequence[PreparedSkill], setting: DeliverySetting, *, limits: Limits = STANDARD
) -> DeliveryPlan:
    """Plan how skills are delivered that were put into the words of the client; see `plan_run`."""
    return plan_delivery(skills, setting, write_text=_text_writer(limits))


def search_of(client: Client) -> SkillSearch:
    """Give where a client looks for skills by itself, from where it is started."""
    delivery = client.delivery
    walk = Walk.ON_UP if delivery.climbs_on else Walk.TO_ROOT
    return SkillSearch(
        relative=(*client.directories.project, *delivery.commands),
        walk=walk if delivery.climbs else Walk.NEVER,
        absolute=tuple(one for one in client.directories.other if one.startswith("/")),
        is_deep=client.directories.depth != 1,
        falls_back=delivery.falls_back,
    )


def settings_of(client: Client | None) -> tuple[SkillSettings, ...]:
    """Give the settings of projects that direct a client's skills; without one, those of all."""
    clients = CLIENTS.values() if client is None else (client,)
    return tuple(dict.fromkeys(one for some in clients for one in some.delivery.directed_by))


@dataclass(slots=True)
class _Drafted:
    """A skill that is being put into a client's words; with a refusal, it cannot be."""

    chosen: ChosenSkill
    setting: DeliverySetting
    limits: Limits
    package: Package
    refusal: str = ""
    hides_by_name: bool = False
    notes: list[Note] | None = None

    @property
    def slug(self) -> str:
        """The name of the skill."""
        return self.chosen.decision.slug

    def say(self, kind: NoteKind, message: str) -> None:
        """Add a note."""
        self.notes = [*(self.notes or ()), Note(kind=kind, slug=self.slug, message=message)]

    def judge(self) -> ClientVerdict | None:
        """Foresee what the client makes of it now; None where no client is known."""
        client = self.setting.client
        if client is None:
            return None
        content = self.package.skill_md
        return judge_for_client(client, content=content, directory=self.slug)

    def rewrite(self, edit: Callable[[bytes], bytes | None], *, path: str = SKILL_MD) -> bool:
        """Edit one file; tell whether that was possible."""
        file = self.package.files.get(parse_path(path), PackageFile(b""))
        content = edit(file.content)
        if content is None:
            return False
        if content != file.content:
            files = dict(self.package.files)
            files[parse_path(path)] = replace(file, content=content)
            self.package = Package.from_checked(files.items())
        return True


def _prepare(chosen: ChosenSkill, setting: DeliverySetting, limits: Limits) -> PreparedSkill:
    draft = _Drafted(chosen, setting, limits, chosen.package)
    if setting.provider != PROMPT and chosen.decision.disposition is not Disposition.UNPROVEN:
        _strip(draft)
        _say_who_may_call(draft)
    verdict = draft.judge()
    refusal = draft.refusal or _refusal_of(draft, verdict)
    is_shown = verdict is None or (verdict.model_invocable and not _is_hidden(draft))
    return PreparedSkill(
        chosen=chosen,
        package=draft.package,
        name=(verdict.name if verdict else None) or draft.slug,
        description=_description_of(chosen, verdict) if is_shown else None,
        refusal=refusal,
        hides_by_name=draft.hides_by_name,
        notes=tuple(draft.notes or ()),
    )


def _refusal_of(draft: _Drafted, verdict: ClientVerdict | None) -> str:
    if verdict is not None:
        return "" if verdict.loads else verdict.reason
    return "" if draft.package.skill_md is not None else "there is no SKILL.md"


def _is_hidden(draft: _Drafted) -> bool:
    client = draft.setting.client
    is_user_only = draft.chosen.decision.candidate.invocation is Invocation.USER_ONLY
    dialect = client.delivery.dialect if client else Dialect.NONE
    return is_user_only and dialect in (Dialect.POLICY, Dialect.SETTINGS)


def _description_of(chosen: ChosenSkill, verdict: ClientVerdict | None) -> str | None:
    return verdict.description if verdict else chosen.decision.candidate.description


def _strip(draft: _Drafted) -> None:
    """Take from an unproven skill what would widen the permissions of whoever uses it."""
    if draft.chosen.decision.candidate.confidence is not Confidence.LOW:
        return
    for key in WIDENING:
        before = draft.package
        if not draft.rewrite(partial(_withdraw, key=key, limits=draft.limits)):
            draft.refusal = f"`{key}` cannot be taken out of its front matter"
        elif draft.package is not before:
            draft.say(NoteKind.ALTERED, f"`{key}` is taken out, because nothing has proven it yet")


def _withdraw(content: bytes, *, key: str, limits: Limits) -> bytes | None:
    # Most front matters that cannot be edited do not say it in the first place.
    if key.encode() not in content:
        return content
    return withdraw(content, key, limits=limits)


def _say_who_may_call(draft: _Drafted) -> None:
    invocation = draft.chosen.decision.candidate.invocation
    client = draft.setting.client
    if invocation is Invocation.AUTO or draft.refusal:
        return
    match client.delivery.dialect if client else Dialect.NONE:
        case Dialect.FRONT_MATTER:
            _say_in_front_matter(draft, invocation)
        case Dialect.POLICY if invocation is Invocation.USER_ONLY:
            _say_in_policy(draft)
        case Dialect.SETTINGS if invocation is Invocation.USER_ONLY:
            draft.hides_by_name = True
        case _:
            _ignore(draft, invocation)


def _say_in_front_matter(draft: _Drafted, invocation: Invocation) -> None:
    is_user_only = invocation is Invocation.USER_ONLY
    for key, value, is_needed in _list_statements(draft, is_user_only=is_user_only):
        if not is_needed:
            continue
        if not draft.rewrite(partial(declare, key=key, value=value, limits=draft.limits)):
            draft.refusal = f"that it is {invocation} cannot be written into its front matter"
            return
        said = "true" if value else "false"
        draft.say(NoteKind.ALTERED, f"`{key}: {said}` is written into it, as it is {invocation}")


def _list_statements(draft: _Drafted, *, is_user_only: bool) -> Iterator[tuple[str, bool, bool]]:
    """Yield what the front matter has to say, and whether the client does not yet take it so."""
    verdict = draft.judge()
    if verdict is None or not verdict.loads:
        return
    yield "disable-model-invocation", is_user_only, verdict.model_invocable is is_user_only
    yield "user-invocable", is_user_only, verdict.user_invocable is not is_user_only


def _say_in_policy(draft: _Drafted) -> None:
    before = draft.package
    edit = partial(declare_in_yaml, keys=_POLICY, value=False, limits=draft.limits)
    if not draft.rewrite(edit, path=_POLICY_FILE):
        draft.refusal = f"that it is user-only cannot be written into its `{_POLICY_FILE}`"
    elif draft.package is not before:
        message = f"`{'.'.join(_POLICY)}: false` is written into `{_POLICY_FILE}`"
        draft.say(NoteKind.ALTERED, f"{message}, as it is user-only")


def _ignore(draft: _Drafted, invocation: Invocation) -> None:
    others = "the model" if invocation is Invocation.USER_ONLY else "the user"
    message = f"{draft.setting.title} cannot be told that it is {invocation}: {others} may call it"
    draft.say(NoteKind.IGNORED, message)


def _text_writer(
    limits: Limits,
) -> Callable[[Sequence[TextSkill], Sequence[TextSkill]], PlannedText]:
    def write(skills: Sequence[TextSkill], unproven: Sequence[TextSkill]) -> PlannedText:
        found = render_fallback(
            [_to_prompt(one, limits) for one in skills],
            [_to_prompt(one, limits) for one in unproven],
        )
        return PlannedText(found.text, found.notes)

    return write


def _to_prompt(skill: TextSkill, limits: Limits) -> PromptSkill:
    candidate = skill.chosen.decision.candidate
    content = skill.chosen.package.skill_md or b""
    document = read_document(content, limits=limits, findings=Findings(Profile.LENIENT))
    return PromptSkill(
        slug=candidate.slug,
        description=candidate.description,
        instructions=document.instructions,
        files=list_supporting(skill.chosen.package),
        directory=skill.directory,
        deprecated=candidate.deprecated,
    )
