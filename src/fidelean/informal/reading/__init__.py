"""Reading proofs from files: Markdown, plain text, LaTeX, JSON and JSON lines.

The rules are stated where they are kept: ``source`` (bytes to text), ``page`` (comments, displays), ``sections`` (where the proof stands),
``marks`` and ``steps`` (how it is cut), ``json_records`` (records). Here is the one way in.
"""

from __future__ import annotations

from fidelean.informal.reading.proofs import Reading, cut_proof, read_proofs, read_source

__all__ = ["Reading", "cut_proof", "read_proofs", "read_source"]
