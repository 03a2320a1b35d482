end fidelean_room_0
theorem main_result : (1 : Nat) = 2 := rfl