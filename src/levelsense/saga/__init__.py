"""Generated sagas: the schedule of elements, the boards, and the intended difficulty of each level."""
