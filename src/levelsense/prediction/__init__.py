"""From agents' results to people's success rate, with a band."""
