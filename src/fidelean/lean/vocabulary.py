"""The words of Lean that the source guard knows: what may start a command, and what is never let in.

Lists are data; what is done with them is in ``guard``. A change here changes what is accepted: raise ``GUARD_VERSION`` with it.
"""

from __future__ import annotations

__all__ = [
    "ALLOWED_ATTRIBUTES",
    "ALLOWED_COMMANDS",
    "ALLOWED_DERIVINGS",
    "ALLOWED_OPTIONS",
    "DECLARATIONS",
    "FORBIDDEN_COMMANDS",
    "FORBIDDEN_IMPORTS",
    "FORBIDDEN_WORDS",
    "GUARD_VERSION",
    "MODIFIERS",
    "NOTATION_CLASSES",
    "PLACEHOLDERS",
    "PROTECTED_NAMES",
    "THEOREMS",
]

GUARD_VERSION = "2"

THEOREMS = frozenset({"theorem", "lemma"})
DECLARATIONS = THEOREMS | {"def", "abbrev", "structure", "inductive", "example"}
MODIFIERS = frozenset({"private", "protected", "noncomputable", "nonrec"})
ALLOWED_COMMANDS = DECLARATIONS | MODIFIERS | {"namespace", "section", "end", "open", "variable", "universe", "set_option"}

FORBIDDEN_COMMANDS = frozenset(
    """
    add_aesop_rules add_decl_doc alias aliases assert_exists assert_imported assert_no_cyclic_instances assert_not_exists
    assert_not_imported attribute axiom binder_predicate builtin_command_parser builtin_dsimproc builtin_dsimproc_decl
    builtin_grind_propagator builtin_initialize builtin_simproc builtin_simproc_decl class coinductive compile_def compile_inductive
 count_heartbeats declare_aesop_rule_sets declare_bitwise_int_theorems declare_bitwise_uint_theorems
    declare_command_config_elab declare_config_elab declare_config_getter declare_int_theorems declare_sint_simprocs
    declare_simp_like_tactic declare_syntax_cat declare_uint_simprocs declare_uint_theorems def_replacer deprecated_module deprecated_syntax
    docs_to_verso dsimproc dsimproc_decl elab elab_rules elab_stx_quot erase_aesop_rules export extend_docs gen_injective_theorems
    grind_annotated grind_pattern import include infix infixl infixr init_grind_norm init_quot initialize
    initialize_simps_projections instance irreducible_def library_note local macro macro_rules meta mk_iff mk_iff_of_inductive_prop
    module mutual name_poly_vars notation notation3 omit opaque open_locale partial postfix prefix prelude proof_wanted
    public recommended_spelling register_builtin_option register_error_explanation register_grind_attr register_hint
    register_label_attr register_linter_set register_option register_parser_alias register_simp_attr register_tactic_tag
    register_try_tactic reset_grind_attrs run_cmd run_elab run_meta seal show_panel_widgets simproc simproc_decl
    simprocs simps_trace suppress_compilation syntax tactic_extension unif_hint unsafe unseal unset_option
    unsuppress_compilation whatsnew with_weak_namespace
    simproc_pattern dsimproc_pattern builtin_simproc_pattern builtin_dsimproc_pattern builtin_bv_normalize_proc norm_cast_add_elim
    restate_axiom sudo variable?
    """.split()
)
"""Everything that starts a command in core Lean, Batteries, Aesop or Mathlib, or modifies one, and is not allowed."""

FORBIDDEN_WORDS = frozenset(
    """
    admit apply? bv_check bv_decide bv_decide? by_elab csimp dbg_trace dbgSleep dbgStackTrace dbgTrace dbgTraceIfShared dbgTraceVal
    decide_native elab_as_elim_rules eval_expr exact? exact?? export extern finish? fun_prop_decl have? implemented_by
    include_str inferInstanceAs_unsafe lcAny lcErased lcProof lcUnreachable let_mvar library_search locals native native_decide
    nativeDecide observe observe? ofReduceBool ofReduceNat panic panicCore panicWithPos polyrith private_decl ptrAddrUnsafe
    reduceBool reduceNat rewrites rewrites? run_conv run_tac rw? rw?? rw_search run_builtin_parser_attribute_hooks slim_check sorryAx
    static_reflect stop suggestions throwError throwErrorAt trustCompiler try? unsafe unsafeBaseIO unsafeCast unsafeEIO unsafeIO
    unsafeBaseIO warn _root_ _private _hyg _uniq _cstage1 _cstage2 Unsafe
    """.split()
)
"""Components of names that run code, bring in axioms, look neighbours' declarations up, hide a ``sorry``, or leave the snippet's room."""

ALLOWED_OPTIONS = frozenset(
    {
        "exponentiation.threshold",
        "linter.all",
        "linter.unusedVariables",
        "maxHeartbeats",
        "maxRecDepth",
        "pp.all",
        "pp.explicit",
        "pp.funBinderTypes",
        "pp.proofs",
        "synthInstance.maxHeartbeats",
        "synthInstance.maxSize",
    }
)

ALLOWED_ATTRIBUTES = frozenset({"simp", "grind", "grind =", "grind →", "grind ←", "ext"})
"""Attributes as their tokens joined by single blanks. They outlive the snippet's namespace, so such a snippet runs in its own process."""

FORBIDDEN_IMPORTS = frozenset({"Lake", "LakeMain", "Leanc", "LeanChecker", "LeanIR"})
"""Roots of modules that bring commands the guard does not know."""

ALLOWED_DERIVINGS = frozenset({"BEq", "DecidableEq", "Inhabited", "Nonempty", "Repr"})

NOTATION_CLASSES = frozenset(
    """
    Add AddCommGroup AddCommMonoid AddGroup AddMonoid AndOp Append BEq Bot Coe CoeDep CoeFun CoeHead CoeHTCT CoeHTC CoeOTC CoeOut CoeSort
    CoeT CoeTC CoeTail Compl Complement Decidable DecidableEq DecidableLE DecidableLT DecidablePred DecidableRel Div Dvd EmptyCollection
    GetElem HAdd HAnd HAndThen HAppend HDiv HEquiv HMod HMul HOr HOrElse HPow HSMul HShiftLeft HShiftRight HSub HVAdd HXor HasCompl
    HasEquiv HasSSubset HasSubset Insert IntCast Inter Inv Inf LE LT LawfulBEq Max Membership Min Mod Mul NatCast NatPow Neg
    OfNat OfScientific One OrOp Ord Pow Preorder PartialOrder RatCast SDiff SMul SProd ShiftLeft ShiftRight Singleton Sub Sup Top Union
    Zero XorOp GetElem?
    Semiring CommSemiring Ring CommRing Field DivisionRing NatModule IntModule Group CommGroup Monoid CommMonoid Semigroup
    AddSemigroup MulZeroClass Lattice SemilatticeSup SemilatticeInf DistribLattice LinearOrder OrderedField LinearOrderedField
    PreorderPackage PartialOrderPackage LinearPreorderPackage LinearOrderPackage
    """.split()
)
"""Classes behind numerals, operators, relations, coercions and ``if``, and classes that hold one: an instance changes what is said."""

PROTECTED_NAMES = (
    NOTATION_CLASSES
    | frozenset(
        """
        And Array BitVec Bool Char Classical Complex Empty Eq EReal Exists ExistsUnique False Field Fin Finset Fintype Float
        Function HEq Iff Int IsCharP IsLinearOrder IsPreorder LawfulOrderLT Lean List Matrix Multiset NNReal Nat Ne
        Nontrivial Not Option Or Prod Prop PSigma PUnit Quot Rat Real Ring Semiring CommRing OrderedRing Set Setoid
        Sigma Sort Std String Subsingleton Subtype Sum Topology True Type UInt8 UInt16 UInt32 UInt64 Unit Vector Xor Init Mathlib
        absurd and bne cond decide default dite forall id ite letFun max min
        not nsmul of_eq_true or outParam propext rfl sorry trivial xor zsmul
        ℕ ℤ ℚ ℝ ℂ
        """.split()
    )
) - {"Prop", "Sort", "Type", "forall", "sorry"}
"""Names a reader relies on; no declaration, binder, field, constructor or namespace of a snippet may take one."""

PLACEHOLDERS = frozenset(
    {"True", "False", "true", "false", "0", "none", "default", "()", "Unit", "PUnit", "Empty", "sorry", "∅", "⊤", "⊥", "[]"}
)
"""Bodies that define nothing: a match that rests on one is no match."""
