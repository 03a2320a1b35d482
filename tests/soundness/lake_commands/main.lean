import Lake
open Lake DSL
package free
theorem main_result : (1 : Nat) = 1 := rfl