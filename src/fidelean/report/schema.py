"""The JSON schema of ``ProofDocument``, shipped beside this module; ``python -m fidelean.report.schema`` prints it anew."""

from __future__ import annotations

import json
import sys
from importlib.resources import files

from fidelean.report.documents import ProofDocument

__all__ = ["generated_schema", "shipped_schema"]

FILE_NAME = "proof_verdict.schema.json"


def generated_schema() -> str:
    """Write the schema as the models give it."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema"} | ProofDocument.model_json_schema(mode="serialization")
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def shipped_schema() -> str:
    """Read the schema that is shipped."""
    return files("fidelean.report").joinpath(FILE_NAME).read_text(encoding="utf-8")


if __name__ == "__main__":
    sys.stdout.write(generated_schema())
