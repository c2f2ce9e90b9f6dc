"""Every requirement number, the test files that show it, and what is not built yet.

What a number means is in `docs/requirements.md`. A test names its numbers with
`@pytest.mark.requirement(...)`; `tests/architecture/test_requirements.py` proves that this list and
the marks agree in both directions. A gap is data: it says what of the requirement is missing.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Requirement:
    """One number: the files whose tests show it, and what is missing."""

    tests: tuple[str, ...] = ()
    gap: str = ""


NOT_BUILT = "Not built yet"

REQUIREMENTS = {
    "PKG-1": Requirement(
        tests=(
            "unit/skillmd/test_check.py",
            "unit/skillmd/test_frontmatter.py",
            "unit/skillmd/test_template.py",
        )
    ),
    "PKG-2": Requirement(
        tests=(
            "contract/use_cases/test_import.py",
            "interface/cli/test_bundles.py",
            "unit/domain/test_manifest.py",
            "unit/domain/test_names.py",
            "unit/domain/test_version.py",
            "unit/skillmd/test_checks.py",
            "unit/skillmd/test_fields.py",
            "unit/skillmd/test_manifest.py",
            "unit/skillmd/test_reference.py",
            "unit/skillmd/test_yamltree.py",
        )
    ),
    "PKG-3": Requirement(
        tests=(
            "interface/cli/test_check.py",
            "unit/application/test_check_for_client.py",
            "unit/domain/test_client.py",
            "unit/domain/test_names.py",
            "unit/providers/test_clients.py",
            "unit/skillmd/test_checks.py",
            "unit/skillmd/test_findings.py",
            "unit/skillmd/test_frontmatter.py",
            "unit/skillmd/test_lenient.py",
            "unit/skillmd/test_manifest.py",
            "unit/skillmd/test_reference.py",
            "unit/skillmd/verdict/test_client_variants.py",
            "unit/skillmd/verdict/test_clientyaml.py",
            "unit/skillmd/verdict/test_fences.py",
            "unit/skillmd/verdict/test_hostile.py",
            "unit/skillmd/verdict/test_judge.py",
            "unit/skillmd/verdict/test_kinds.py",
            "unit/skillmd/verdict/test_numbers.py",
            "unit/skillmd/verdict/test_repairs.py",
            "unit/skillmd/verdict/test_whitespace.py",
            "unit/skillmd/verdict/test_yamlstyles.py",
        )
    ),
    "PKG-4": Requirement(
        tests=(
            "interface/cli/test_check.py",
            "unit/domain/test_diagnostic.py",
            "unit/skillmd/test_check.py",
            "unit/skillmd/test_checks.py",
            "unit/skillmd/test_findings.py",
            "unit/skillmd/test_fix.py",
            "unit/skillmd/test_frontmatter.py",
            "unit/skillmd/test_repair.py",
            "unit/skillmd/verdict/test_client_pages.py",
        )
    ),
    "PKG-5": Requirement(
        tests=(
            "contract/limits/test_contents.py",
            "contract/limits/test_databases.py",
            "contract/limits/test_doors.py",
            "contract/limits/test_fields.py",
            "contract/limits/test_paths.py",
            "contract/limits/test_values.py",
            "contract/use_cases/test_export.py",
            "contract/use_cases/test_import.py",
            "contract/use_cases/test_lifecycle.py",
            "interface/cli/test_import.py",
            "unit/domain/test_limits.py",
            "unit/skillmd/test_limits.py",
            "unit/skillmd/test_yamltree.py",
        ),
        gap="Paths, bundles, git trees, editor and library; API and MCP do not exist yet",
    ),
    "PKG-6": Requirement(
        tests=(
            "contract/use_cases/test_export.py",
            "contract/use_cases/test_import.py",
            "contract/use_cases/test_save_known.py",
            "interface/cli/test_export.py",
            "unit/domain/test_manifest.py",
            "unit/skillmd/test_jsontext.py",
            "unit/skillmd/test_sidecar.py",
        ),
        gap="Read, and written on export; earned and migrated skills do not exist yet",
    ),
    "PKG-7": Requirement(
        tests=(
            "interface/cli/test_bundles.py",
            "interface/cli/test_check.py",
            "unit/domain/test_digest.py",
            "unit/domain/test_package.py",
            "unit/skillmd/test_contentkey.py",
        )
    ),
    "PKG-8": Requirement(
        tests=(
            "contract/limits/test_contents.py",
            "contract/limits/test_paths.py",
            "interface/cli/test_bundles.py",
            "unit/domain/test_package.py",
            "unit/domain/test_paths.py",
            "unit/skillmd/test_check.py",
            "unit/skillmd/test_intake.py",
        )
    ),
    "PKG-9": Requirement(
        tests=(
            "unit/application/test_planning.py",
            "unit/skillmd/test_check.py",
            "unit/skillmd/test_front_matter_code.py",
        )
    ),
    "STO-1": Requirement(
        tests=(
            "contract/test_store_model.py",
            "contract/test_store_transactions.py",
            "contract/use_cases/test_doctor.py",
            "integration/db/test_connections.py",
            "integration/db/test_copying.py",
            "integration/db/test_failures.py",
            "integration/db/test_faults.py",
            "integration/db/test_files.py",
            "integration/db/test_reach.py",
            "integration/db/test_schema.py",
            "interface/cli/test_db_copy.py",
            "interface/cli/test_doctor.py",
            "interface/test_yard.py",
        )
    ),
    "STO-2": Requirement(
        tests=(
            "contract/limits/test_databases.py",
            "contract/limits/test_fields.py",
            "contract/limits/test_values.py",
            "contract/test_store_catalogue.py",
            "contract/test_store_races.py",
            "contract/test_store_round_trips.py",
            "contract/test_store_skills.py",
            "contract/use_cases/test_import.py",
            "contract/use_cases/test_save.py",
            "integration/db/test_quick.py",
            "interface/cli/test_add.py",
            "interface/cli/test_archive.py",
            "interface/cli/test_duplicate.py",
            "interface/cli/test_edit.py",
            "interface/cli/test_enable.py",
            "interface/cli/test_list.py",
            "interface/cli/test_show_stored.py",
            "unit/resolver/test_recorded_worlds.py",
        )
    ),
    "STO-3": Requirement(
        tests=(
            "contract/limits/test_databases.py",
            "contract/limits/test_values.py",
            "contract/test_store_packages.py",
            "contract/test_store_races.py",
            "contract/test_store_round_trips.py",
            "contract/test_store_versions.py",
            "contract/use_cases/test_import.py",
            "contract/use_cases/test_lifecycle.py",
            "contract/use_cases/test_numbers.py",
            "contract/use_cases/test_rollback.py",
            "contract/use_cases/test_save.py",
            "integration/db/test_immutability.py",
            "integration/db/test_kills.py",
            "integration/db/test_packages.py",
            "interface/cli/test_add.py",
            "interface/cli/test_edit.py",
            "interface/cli/test_files.py",
            "interface/cli/test_history.py",
            "unit/domain/test_contenttype.py",
        )
    ),
    "STO-4": Requirement(
        tests=(
            "contract/test_store_versions.py",
            "contract/use_cases/test_export.py",
            "contract/use_cases/test_lifecycle.py",
            "contract/use_cases/test_rollback.py",
            "interface/cli/test_diff.py",
            "interface/cli/test_export.py",
            "interface/cli/test_rollback.py",
            "unit/domain/test_difference.py",
        )
    ),
    "STO-5": Requirement(
        tests=(
            "contract/limits/test_databases.py",
            "contract/limits/test_values.py",
            "contract/test_store_assignments.py",
            "contract/test_store_locks.py",
            "contract/test_store_races.py",
            "contract/test_store_records.py",
            "contract/test_store_runs.py",
            "contract/test_store_skills.py",
            "contract/use_cases/test_assign.py",
            "contract/use_cases/test_lifecycle.py",
            "contract/use_cases/test_numbers.py",
            "integration/running/test_collect.py",
            "integration/running/test_receipts.py",
            "integration/running/test_replay.py",
            "interface/cli/test_assign.py",
            "interface/cli/test_delete.py",
            "interface/cli/test_records.py",
            "interface/cli/test_runs.py",
            "unit/domain/test_obstacle.py",
            "unit/domain/test_ranges.py",
            "unit/resolver/test_recorded_worlds.py",
        ),
        gap="Cleanup of sandboxes needs sync",
    ),
    "STO-6": Requirement(
        tests=(
            "contract/limits/test_databases.py",
            "contract/limits/test_values.py",
            "contract/test_store_assignments.py",
            "contract/test_store_races.py",
            "contract/test_store_records.py",
            "contract/test_store_round_trips.py",
            "contract/test_store_transactions.py",
            "contract/use_cases/test_assign.py",
            "contract/use_cases/test_records.py",
            "interface/cli/test_assign.py",
            "interface/cli/test_records.py",
        ),
        gap="Sandboxes have no command yet",
    ),
    "STO-7": Requirement(
        tests=(
            "contract/test_store_audit.py",
            "contract/test_store_round_trips.py",
            "contract/use_cases/test_assign.py",
            "contract/use_cases/test_lifecycle.py",
            "contract/use_cases/test_records.py",
            "contract/use_cases/test_save.py",
            "integration/db/test_immutability.py",
            "interface/cli/test_audit.py",
            "interface/cli/test_history.py",
            "interface/test_yard_doors.py",
        )
    ),
    "STO-8": Requirement(
        tests=(
            "contract/test_store_races.py",
            "contract/test_store_skills.py",
            "contract/use_cases/test_import.py",
            "contract/use_cases/test_lifecycle.py",
            "contract/use_cases/test_save.py",
            "contract/use_cases/test_save_known.py",
            "interface/cli/test_add.py",
            "interface/cli/test_edit.py",
            "interface/cli/test_files.py",
        )
    ),
    "STO-9": Requirement(gap=NOT_BUILT),
    "STO-10": Requirement(
        tests=(
            "contract/test_store_outbox.py",
            "contract/test_store_races.py",
            "contract/test_store_round_trips.py",
            "contract/use_cases/test_assign.py",
            "contract/use_cases/test_records.py",
            "contract/use_cases/test_save.py",
            "contract/use_cases/test_save_known.py",
            "integration/db/test_connections.py",
            "integration/db/test_kills.py",
        )
    ),
    "SRC-1": Requirement(
        tests=(
            "integration/fs/test_packages.py",
            "integration/index/test_bundled.py",
            "integration/index/test_discovery.py",
            "integration/index/test_watching.py",
            "interface/cli/test_resolve.py",
            "unit/test_settings.py",
        )
    ),
    "SRC-2": Requirement(gap=NOT_BUILT),
    "SRC-3": Requirement(tests=("integration/index/test_remembering.py",)),
    "SRC-4": Requirement(
        tests=(
            "contract/use_cases/test_resolve.py",
            "integration/index/test_discovery.py",
            "interface/cli/test_bundles.py",
            "interface/cli/test_check.py",
            "interface/cli/test_resolve.py",
            "unit/application/test_describe.py",
            "unit/application/test_discover.py",
        )
    ),
    "SRC-5": Requirement(
        tests=(
            "integration/index/test_discovery.py",
            "unit/application/test_discover.py",
        )
    ),
    "SRC-6": Requirement(
        tests=(
            "integration/index/test_bundled.py",
            "integration/index/test_commands.py",
            "integration/index/test_discovery.py",
            "interface/cli/test_skill_show.py",
            "unit/application/test_discover.py",
            "unit/resolver/test_recorded_worlds.py",
        )
    ),
    "SRC-7": Requirement(
        tests=(
            "integration/fs/test_packages.py",
            "integration/index/test_discovery.py",
            "interface/cli/test_resolve.py",
        )
    ),
    "SRC-8": Requirement(tests=("integration/index/test_watching.py",)),
    "RES-1": Requirement(
        tests=(
            "contract/use_cases/test_resolve.py",
            "interface/cli/test_resolve.py",
            "unit/resolver/test_properties.py",
        )
    ),
    "RES-2": Requirement(
        tests=(
            "contract/use_cases/test_resolve.py",
            "unit/disclosure/test_tier1.py",
            "unit/providers/test_planning.py",
            "unit/resolver/test_properties.py",
            "unit/resolver/test_recorded_worlds.py",
        ),
        gap="Plugins have no command yet; their skills are resolved as data",
    ),
    "RES-3": Requirement(
        tests=(
            "contract/use_cases/test_resolve.py",
            "unit/resolver/test_advice.py",
            "unit/resolver/test_recorded_worlds.py",
        )
    ),
    "RES-4": Requirement(
        tests=(
            "contract/test_store_candidates.py",
            "integration/db/test_reach.py",
            "interface/cli/test_resolve.py",
            "unit/providers/test_planning.py",
            "unit/resolver/test_advice.py",
            "unit/resolver/test_recorded_worlds.py",
        )
    ),
    "RES-5": Requirement(
        tests=(
            "contract/use_cases/test_resolve.py",
            "interface/cli/test_resolve.py",
            "unit/resolver/test_properties.py",
            "unit/resolver/test_recorded_worlds.py",
            "unit/resolver/test_requirements.py",
        )
    ),
    "RES-6": Requirement(
        tests=(
            "contract/use_cases/test_resolve.py",
            "unit/resolver/test_properties.py",
            "unit/resolver/test_recorded_worlds.py",
        )
    ),
    "RES-7": Requirement(
        tests=(
            "contract/use_cases/test_resolve.py",
            "interface/cli/test_prompt.py",
            "interface/cli/test_resolve.py",
            "unit/resolver/test_advice.py",
            "unit/resolver/test_properties.py",
            "unit/resolver/test_recorded_worlds.py",
            "unit/test_settings.py",
        )
    ),
    "RES-8": Requirement(
        tests=(
            "contract/use_cases/test_resolve.py",
            "interface/cli/test_resolve.py",
            "unit/resolver/test_properties.py",
        )
    ),
    "RES-9": Requirement(
        tests=(
            "interface/cli/test_explain.py",
            "interface/cli/test_resolve.py",
            "unit/resolver/test_advice.py",
            "unit/resolver/test_properties.py",
            "unit/resolver/test_requirements.py",
        )
    ),
    "RES-10": Requirement(
        tests=(
            "contract/use_cases/test_resolve.py",
            "integration/running/test_run.py",
            "interface/cli/test_lock.py",
            "unit/domain/test_lock.py",
        )
    ),
    "DIS-1": Requirement(
        tests=(
            "contract/use_cases/test_resolve.py",
            "e2e/test_tour.py",
            "interface/cli/test_lock.py",
            "interface/cli/test_prompt.py",
            "unit/application/test_describe.py",
            "unit/disclosure/test_escaping.py",
            "unit/disclosure/test_injection.py",
            "unit/disclosure/test_page.py",
            "unit/disclosure/test_seeing.py",
            "unit/disclosure/test_sources.py",
            "unit/disclosure/test_tier1.py",
            "unit/disclosure/test_tools.py",
        )
    ),
    "DIS-2": Requirement(
        tests=(
            "contract/use_cases/test_resolve.py",
            "e2e/test_tour.py",
            "interface/cli/test_lock.py",
            "interface/cli/test_use.py",
            "unit/disclosure/test_seeing.py",
            "unit/disclosure/test_tier2.py",
            "unit/disclosure/test_tools.py",
        )
    ),
    "DIS-3": Requirement(
        tests=(
            "contract/use_cases/test_resolve.py",
            "e2e/test_tour.py",
            "interface/cli/test_use.py",
            "unit/disclosure/test_context.py",
            "unit/disclosure/test_tier3.py",
        ),
        gap="The check after links is the package reader's; activation does not exist yet",
    ),
    "DIS-4": Requirement(
        tests=(
            "interface/cli/test_prompt.py",
            "unit/disclosure/test_injection.py",
            "unit/disclosure/test_page.py",
            "unit/disclosure/test_tier1.py",
            "unit/test_settings.py",
        )
    ),
    "DIS-5": Requirement(
        tests=(
            "interface/cli/test_prompt.py",
            "unit/disclosure/test_context.py",
            "unit/disclosure/test_page.py",
            "unit/disclosure/test_tier2.py",
            "unit/disclosure/test_tokens.py",
        )
    ),
    "DIS-6": Requirement(
        tests=(
            "contract/use_cases/test_resolve.py",
            "unit/disclosure/test_context.py",
        )
    ),
    "DIS-7": Requirement(
        tests=(
            "contract/test_store_fingerprint.py",
            "contract/use_cases/test_search.py",
            "integration/search/test_meanings.py",
            "integration/search/test_patterns.py",
            "interface/cli/test_search.py",
            "interface/test_yard.py",
            "unit/application/test_searchable.py",
            "unit/ranking/test_meaning.py",
            "unit/ranking/test_query.py",
            "unit/ranking/test_score.py",
            "unit/ranking/test_triggers.py",
            "unit/ranking/test_weigh.py",
            "unit/ranking/test_words.py",
        ),
        gap="The figures are in docs/search.md: recall at 5 is below its goal of 0.95",
    ),
    "DEL-1": Requirement(
        tests=(
            "clients/test_listing.py",
            "clients/test_prompt.py",
            "integration/running/test_deliver.py",
            "interface/cli/test_deliver.py",
            "unit/providers/test_deliveries.py",
            "unit/providers/test_planning.py",
        )
    ),
    "DEL-2": Requirement(
        tests=(
            "unit/disclosure/test_fallback.py",
            "unit/providers/test_planning.py",
        )
    ),
    "DEL-3": Requirement(
        tests=(
            "integration/cache/test_disk_cache.py",
            "integration/running/test_run.py",
            "integration/runs/test_laying_out.py",
            "unit/providers/test_planning.py",
        )
    ),
    "DEL-4": Requirement(
        tests=(
            "clients/test_listing.py",
            "integration/running/test_hostile_runs.py",
            "integration/running/test_run.py",
            "integration/runs/test_grounds.py",
            "integration/runs/test_laying_out.py",
            "integration/workspace/test_choosing.py",
            "integration/workspace/test_copies.py",
            "integration/workspace/test_work_trees.py",
            "unit/providers/test_environment.py",
        )
    ),
    "DEL-5": Requirement(
        tests=(
            "clients/test_listing.py",
            "clients/test_prompt.py",
            "integration/running/test_committing.py",
            "integration/running/test_hostile_runs.py",
            "integration/running/test_run.py",
            "integration/workspace/test_choosing.py",
            "integration/workspace/test_copies.py",
            "integration/workspace/test_directing.py",
            "integration/workspace/test_finding.py",
            "integration/workspace/test_leftovers.py",
            "integration/workspace/test_saving.py",
            "integration/workspace/test_work_trees.py",
            "interface/cli/test_run.py",
            "unit/application/test_planning.py",
            "unit/providers/test_deliveries.py",
            "unit/providers/test_directing.py",
            "unit/providers/test_surroundings.py",
        )
    ),
    "DEL-6": Requirement(
        tests=(
            "clients/test_login.py",
            "clients/test_prompt.py",
            "integration/running/test_hostile_runs.py",
            "integration/running/test_run.py",
            "integration/runs/test_laying_out.py",
            "unit/providers/test_deliveries.py",
            "unit/providers/test_environment.py",
        ),
        gap="Logins were seen to work with files of the right form; no real account was used",
    ),
    "DEL-7": Requirement(
        tests=(
            "clients/test_listing.py",
            "clients/test_prompt.py",
            "clients/test_trust.py",
            "unit/providers/test_deliveries.py",
        )
    ),
    "DEL-8": Requirement(
        tests=(
            "clients/test_prompt.py",
            "unit/application/test_planning.py",
            "unit/providers/test_planning.py",
            "unit/skillmd/test_declare.py",
        )
    ),
    "DEL-9": Requirement(
        tests=(
            "clients/test_prompt.py",
            "unit/providers/test_catalogue.py",
            "unit/providers/test_planning.py",
        )
    ),
    "DEL-10": Requirement(
        tests=(
            "contract/test_store_runs.py",
            "integration/running/test_hostile_runs.py",
            "integration/running/test_killed.py",
            "integration/running/test_receipts.py",
            "integration/running/test_replay.py",
            "integration/running/test_run.py",
            "integration/runs/test_changes.py",
            "interface/cli/test_runs.py",
            "unit/domain/test_receipt.py",
            "unit/domain/test_run_difference.py",
        )
    ),
    "DEL-11": Requirement(
        tests=(
            "integration/running/test_run.py",
            "interface/cli/test_run.py",
            "unit/application/test_planning.py",
            "unit/providers/test_planning.py",
        )
    ),
    "DEL-12": Requirement(
        tests=(
            "integration/running/test_hostile_runs.py",
            "integration/running/test_run.py",
            "interface/cli/test_records.py",
            "interface/cli/test_run.py",
        )
    ),
    "DEL-13": Requirement(
        tests=(
            "clients/test_ending.py",
            "clients/test_listing.py",
            "integration/running/test_collect.py",
            "integration/running/test_hostile_runs.py",
            "integration/running/test_killed.py",
            "integration/running/test_run.py",
            "integration/runs/test_grounds.py",
            "integration/runs/test_removing.py",
            "integration/workspace/test_killed_ends.py",
            "integration/workspace/test_leftovers.py",
            "integration/workspace/test_tidying.py",
            "interface/cli/test_run.py",
            "interface/cli/test_runs.py",
        )
    ),
    "DEL-14": Requirement(
        tests=(
            "integration/running/test_many.py",
            "integration/runs/test_grounds.py",
            "integration/runs/test_laying_out.py",
        )
    ),
    "DEL-15": Requirement(
        tests=(
            "clients/test_ending.py",
            "integration/running/test_run.py",
            "integration/runs/test_launching.py",
            "integration/runs/test_remaining.py",
            "interface/cli/test_run.py",
            "unit/providers/test_naming.py",
        )
    ),
    "SYN-1": Requirement(
        tests=(
            "contract/test_cache.py",
            "integration/cache/test_disk_cache.py",
        ),
        gap="The cache; sandboxes do not exist yet",
    ),
    "SYN-2": Requirement(gap=NOT_BUILT),
    "SYN-3": Requirement(gap=NOT_BUILT),
    "SYN-4": Requirement(gap=NOT_BUILT),
    "SYN-5": Requirement(gap=NOT_BUILT),
    "SYN-6": Requirement(gap=NOT_BUILT),
    "SYN-7": Requirement(gap=NOT_BUILT),
    "SYN-8": Requirement(gap=NOT_BUILT),
    "SYN-9": Requirement(gap=NOT_BUILT),
    "ACT-1": Requirement(gap=NOT_BUILT),
    "ACT-2": Requirement(gap=NOT_BUILT),
    "ACT-3": Requirement(gap=NOT_BUILT),
    "ACT-4": Requirement(gap=NOT_BUILT),
    "ACT-5": Requirement(gap=NOT_BUILT),
    "ACT-6": Requirement(gap=NOT_BUILT),
    "ACT-7": Requirement(gap=NOT_BUILT),
    "CNF-1": Requirement(gap=NOT_BUILT),
    "CNF-2": Requirement(gap=NOT_BUILT),
    "CNF-3": Requirement(gap=NOT_BUILT),
    "CNF-4": Requirement(
        tests=(
            "contract/use_cases/test_rollback.py",
            "contract/use_cases/test_save.py",
        ),
        gap="Confidence falls back with new content; usage is not counted yet",
    ),
    "CNF-5": Requirement(gap=NOT_BUILT),
    "CNF-6": Requirement(gap=NOT_BUILT),
    "PLG-1": Requirement(gap=NOT_BUILT),
    "PLG-2": Requirement(gap=NOT_BUILT),
    "PLG-3": Requirement(gap=NOT_BUILT),
    "PLG-4": Requirement(
        tests=(
            "contract/use_cases/test_export.py",
            "contract/use_cases/test_import.py",
            "interface/cli/test_import.py",
        ),
        gap="For imports; installs from elsewhere do not exist yet",
    ),
    "PLG-5": Requirement(
        tests=(
            "contract/use_cases/test_export.py",
            "contract/use_cases/test_import.py",
            "contract/use_cases/test_rollback.py",
            "interface/cli/test_import.py",
        ),
        gap="For imports, with a scanner that looks at nothing and so never says clean",
    ),
    "PLG-6": Requirement(gap=NOT_BUILT),
    "WIR-1": Requirement(
        tests=(
            "contract/use_cases/test_export.py",
            "contract/use_cases/test_import.py",
            "interface/cli/test_bundles.py",
            "interface/cli/test_export.py",
            "interface/cli/test_import.py",
        )
    ),
    "WIR-2": Requirement(gap=NOT_BUILT),
    "WIR-3": Requirement(gap=NOT_BUILT),
    "WIR-4": Requirement(gap=NOT_BUILT),
    "WIR-5": Requirement(gap=NOT_BUILT),
    "WIR-6": Requirement(
        tests=(
            "unit/disclosure/test_reference.py",
            "unit/disclosure/test_tier1.py",
        ),
        gap="The reference form of the list; the zip for hosted APIs does not exist yet",
    ),
    "TRU-1": Requirement(
        tests=(
            "contract/use_cases/test_import.py",
            "contract/use_cases/test_lifecycle.py",
            "contract/use_cases/test_rollback.py",
            "contract/use_cases/test_save.py",
            "interface/cli/test_bundles.py",
            "interface/cli/test_check.py",
            "interface/cli/test_import.py",
        ),
        gap="Bundles, git trees, editor and library; the scan looks at nothing yet",
    ),
    "TRU-2": Requirement(
        tests=(
            "contract/use_cases/test_import.py",
            "interface/cli/test_bundles.py",
            "interface/cli/test_import.py",
            "unit/domain/test_paths.py",
            "unit/skillmd/test_check.py",
            "unit/skillmd/test_frontmatter.py",
            "unit/skillmd/test_hostile_front_matter.py",
            "unit/skillmd/test_intake.py",
            "unit/skillmd/test_jsontext.py",
            "unit/skillmd/test_yamltree.py",
        ),
        gap="Bundles and git trees; installs over the network do not exist yet",
    ),
    "TRU-3": Requirement(gap=NOT_BUILT),
    "TRU-4": Requirement(gap=NOT_BUILT),
    "TRU-5": Requirement(gap=NOT_BUILT),
    "TRU-6": Requirement(
        tests=(
            "unit/application/test_planning.py",
            "unit/skillmd/test_declare.py",
        ),
        gap="`allowed-tools` and `hooks` of skills of low confidence; sources have no policy yet",
    ),
    "TRU-7": Requirement(
        tests=(
            "interface/cli/test_add.py",
            "interface/cli/test_check.py",
            "interface/cli/test_diff.py",
            "interface/cli/test_files.py",
            "interface/cli/test_main.py",
            "unit/domain/test_paths.py",
            "unit/skillmd/test_checks.py",
        ),
        gap="Terminals and reports; no browser page and no prompt exists yet",
    ),
    "TRU-8": Requirement(gap=NOT_BUILT),
    "INT-1": Requirement(
        tests=(
            "e2e/test_tour.py",
            "integration/running/test_standing.py",
            "interface/test_library.py",
            "interface/test_yard.py",
        )
    ),
    "INT-2": Requirement(
        tests=(
            "e2e/test_tour.py",
            "integration/running/test_deliver.py",
            "integration/running/test_run.py",
            "interface/cli/test_add.py",
            "interface/cli/test_archive.py",
            "interface/cli/test_assign.py",
            "interface/cli/test_audit.py",
            "interface/cli/test_bundles.py",
            "interface/cli/test_check.py",
            "interface/cli/test_config.py",
            "interface/cli/test_db_copy.py",
            "interface/cli/test_delete.py",
            "interface/cli/test_deliver.py",
            "interface/cli/test_diff.py",
            "interface/cli/test_doctor.py",
            "interface/cli/test_duplicate.py",
            "interface/cli/test_edit.py",
            "interface/cli/test_enable.py",
            "interface/cli/test_explain.py",
            "interface/cli/test_export.py",
            "interface/cli/test_files.py",
            "interface/cli/test_history.py",
            "interface/cli/test_import.py",
            "interface/cli/test_list.py",
            "interface/cli/test_lock.py",
            "interface/cli/test_main.py",
            "interface/cli/test_prompt.py",
            "interface/cli/test_records.py",
            "interface/cli/test_resolve.py",
            "interface/cli/test_rollback.py",
            "interface/cli/test_run.py",
            "interface/cli/test_runs.py",
            "interface/cli/test_search.py",
            "interface/cli/test_show_stored.py",
            "interface/cli/test_skill_show.py",
            "interface/cli/test_tables.py",
            "interface/cli/test_use.py",
            "unit/test_settings.py",
        ),
        gap="The commands of the store and of files; `--server` and the rest are not built",
    ),
    "INT-3": Requirement(gap=NOT_BUILT),
    "INT-4": Requirement(gap=NOT_BUILT),
    "INT-5": Requirement(gap=NOT_BUILT),
    "MIG-1": Requirement(gap=NOT_BUILT),
    "MIG-2": Requirement(gap=NOT_BUILT),
    "MIG-3": Requirement(gap=NOT_BUILT),
    "SCL-1": Requirement(gap=NOT_BUILT),
    "SCL-2": Requirement(gap=NOT_BUILT),
    "SCL-3": Requirement(gap=NOT_BUILT),
    "SCL-4": Requirement(
        tests=("integration/db/test_quick.py",),
        gap="Measured in docs/performance; the first search after a change takes longer",
    ),
    "SCL-5": Requirement(gap=NOT_BUILT),
}
