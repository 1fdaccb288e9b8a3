"""The statistics alone: a binomial regression with a random effect a level."""
