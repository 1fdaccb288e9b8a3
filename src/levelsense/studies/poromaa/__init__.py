"""Poromaa's thesis on tree search in Candy Crush Saga, its four phases run again on levels of our own."""
