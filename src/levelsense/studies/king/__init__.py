"""The study of Gudmundsson et al. (2018), run again: networks that learn moves, and what they predict."""
