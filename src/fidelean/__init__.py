"""Does this Lean statement say what the sentence said, and where is the first step of this proof that does not hold?"""
