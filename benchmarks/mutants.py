"""How many mistakes in the statistics the tests notice: each edit below is made, and its tests have to fail.

Run it with `python benchmarks/mutants.py`, or with `--only NAME...` for some edits; `--list` shows them, and
checks that all can be made. An edit is made in a temporary copy of the tree, and its old text has to occur
exactly once in the package.
Kernels that are edited run as plain Python; what else is compiled goes to a temporary copy of the cache.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from levelsense.cache import user_cache

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path("src", "levelsense")
LEFT_OUT = (".*", "__pycache__", "*.egg-info", "build", "docs")
MOST_SECONDS, MOST_SECONDS_OF_ALL = 120, 900
INTERPRETED = "interpreted"
PASSED, FAILED = 0, 1  # what pytest returns

# A heading names the tests of the edits below it. An edit is a name, lines of old text (-) and new ones (+).
EDITS = r"""
## tests/playtest/test_interval.py
wilson-not-shrunk
- spread / (4 * attempts)) / (1 + spread)
+ spread / (4 * attempts))
wilson-center-off
- (rate + spread / 2) / (1 + spread)
+ (rate + spread) / (1 + spread)
whole-width-for-half
-     return (high - low) / 2
+     return high - low

## tests/playtest/test_estimate.py
quantiles-between-numbers
- method="inverted_cdf"
+ method="linear"
quantile-interval-low-end
- ordered[max(low - 1, 0)]
+ ordered[low]
quantile-interval-of-90-percent
- binom.ppf((0.025, 0.975)
+ binom.ppf((0.05, 0.95)

## tests/playtest/test_work.py
expected-at-rate-one-half
- rate = (self.wins + 2) / (self.done + 4)
+ rate = 0.5
expected-not-squared
- (NORMAL_95 / precision) ** 2)
+ (NORMAL_95 / precision))
expected-above-the-ceiling
- return min(max(self.target, needed), self.extent.checkpoints[-1])
+ return max(self.target, needed)
expected-of-the-finished
- if self.finished or precision is None:
+ if precision is None:
handed-out-is-still-open
- np.count_nonzero(self._results[self._cursor : self.target] == MISSING)
+ np.count_nonzero(self._results[: self.target] == MISSING)

## tests/playtest/test_pace.py
no-caution-at-a-new-level
- BATCH_SECONDS / seconds / CAUTION
+ BATCH_SECONDS / seconds
batches-grow-at-once
- min(BATCH_SECONDS / speed.seconds, MOST_GROWTH * speed.size)
+ BATCH_SECONDS / speed.seconds
no-small-batches-in-the-end
- ceil(open_everywhere / (2 * self.threads))
+ ceil(open_everywhere / self.threads)
time-left-of-one-thread
- left * seconds / self.threads
+ left * seconds
speed-of-one-thread
- return self.threads * speed.attempts / max(
+ return speed.attempts / max(
compiling-counts-as-playing
-         else:
-             self._pace.note(batch)
+         self._pace.note(batch)

## tests/playtest/test_luck.py
luck-normal-quantile
- t.ppf(0.975, boards - 1)
+ 1.959963984540054
luck-jackknife-factor
- np.sqrt((boards - 1) * without.var())
+ np.sqrt(without.var())
luck-biased-variance
- rates.var(axis=-1, ddof=1)
+ rates.var(axis=-1)
luck-chance-counts-as-boards
- return of_means - within / repeats, within
+ return of_means, within
luck-of-one-sided-losses
- min(wins.sum(), wins.size - wins.sum()) < LEAST_OF_EACH
+ wins.sum() < LEAST_OF_EACH
luck-same-score-same-play
-  and (moves == moves[:, :1]).all())
+ )
luck-not-clipped
- np.clip((share - half, share + half), 0.0, 1.0)
+ (share - half, share + half)
luck-on-the-boards-of-the-playtest
- f"{agent_spec} luck"
+ agent_spec

## tests/playtest/test_goals.py
near-miss-below-a-tenth
- _missing(attempts) <= NEAR * amounts
+ _missing(attempts) < NEAR * amounts
near-miss-of-any-goal
- np.all(_missing(attempts) <= NEAR * amounts
+ np.any(_missing(attempts) <= NEAR * amounts
one-short-of-one
-  & (amounts > 1)
+
furthest-goals-count-twice
- is_furthest / np.maximum(is_furthest.sum(axis=1, keepdims=True), 1)
+ is_furthest.astype(float)
goals-more-than-done
- np.minimum(self.goal_counts / list(self.level.asked.values()), 1.0)
+ self.goal_counts / list(self.level.asked.values())
goals-of-won-attempts
-     done = attempts.goal_shares[~attempts.won]
-     if not len(done):
+     done = attempts.goal_shares
+     if not len(done):

## tests/playtest/test_heat.py
heat-of-won-attempts
- packed = self.frame.filter(~pl.col("won"))[column].to_list()
+ packed = self.frame[column].to_list()
heat-of-several-layers-alone
- np.packbits(cells != 0, axis=1)
+ np.packbits(cells > 1, axis=1)

## tests/playtest/test_limits.py
seconds-a-limit-short
- _time_taken(attempts) // 1000 + 1
+ _time_taken(attempts) // 1000
out-of-reach-by-the-rate
- if high[-1] < target:
+ if curve.rates[-1] < target:
no-longer-limit-possible
- high=None if low[-1] <= target and longest == curve.longest else longest
+ high=longest
limit-off-by-one
- 1 + int(np.argmin(np.abs(curve.rates - target)))
+ int(np.argmin(np.abs(curve.rates - target)))
limit-bites-above-half
- 2 * curve.wins >= curve.wins[-1]
+ 2 * curve.wins > curve.wins[-1]

## tests/playtest/test_limits.py tests/playtest/test_statistics.py
curve-of-lost-attempts
- np.bincount(needed[attempts.won], minlength
+ np.bincount(needed, minlength

## tests/playtest/test_checks.py::test_watching_shows_in_wins_and_in_moves
won-in-fewer-moves-than-the-limit
- (attempts.moves_made <= limit)
+ (attempts.moves_made < limit)

## tests/playtest/test_checks.py::test_watching_in_one_attempt_of_several
watching-in-all-attempts
- (attempts.legal_moves != past.legal_moves))[won].any()
+ (attempts.legal_moves != past.legal_moves))[won].all()

## tests/playtest/test_checks.py::test_seconds_that_are_no_whole_number
won-at-the-last-millisecond
- _time_taken(attempts) < 1000 * limit
+ _time_taken(attempts) <= 1000 * limit

## tests/playtest/test_checks.py::test_between_is_a_line_in_log_odds
check-odds-of-all-attempts
- (self.wins + 0.5) / (self.attempts - self.wins + 0.5)
+ (self.wins + 0.5) / (self.attempts + 0.5)

## tests/playtest/test_checks.py::test_limits_to_play
limits-beyond-the-longest
- min(max(round(share * present), 1), longest)
+ max(round(share * present), 1)

## tests/playtest/test_least_time.py
noted-times-are-estimated
- np.where(stored.is_null().to_numpy(), estimate, _milliseconds(stored))
+ estimate
estimate-without-the-last-move
-  + round(1000 * (pace.move + pace.round))
+

## tests/playtest/test_needed.py
needed-ends-swapped
- return _percentile(share, high) or 1.0, _percentile(share, low)
+ return _percentile(share, low) or 1.0, _percentile(share, high)
needed-rounded
- ceil(log1p(-share) / log1p(-rate))
+ round(log1p(-share) / log1p(-rate))

## tests/playtest/test_skill.py
skill-wrong-end-of-the-weak
- (strong - strong_low) ** 2 + (weak_high - weak) ** 2
+ (strong - strong_low) ** 2 + (weak - weak_low) ** 2
skill-odds-plus-one
-         count + 0.5
+         count + 1
skill-odds-error-without-a-root
- NORMAL_95 * sqrt(sum(1 / count for count in counts))
+ NORMAL_95 * sum(1 / count for count in counts)

## tests/playtest/test_stars.py
star-intervals-of-the-others
- quantile_interval(scores, 1 - share)
+ quantile_interval(scores, share)
stars-below-the-goal
- max(rounded[0], least, 1)
+ max(rounded[0], 1)
stars-reached-by-more
- np.mean(scores >= star)
+ np.mean(scores > star)

## tests/playtest/test_statistics.py
near-misses-of-all-attempts
- rate_estimate(int(is_near_miss(attempts).sum()), lost)
+ rate_estimate(int(is_near_miss(attempts).sum()), len(attempts))
one-short-of-all-attempts
- rate_estimate(int(is_one_short(attempts).sum()), lost)
+ rate_estimate(int(is_one_short(attempts).sum()), len(attempts))
left-of-lost-attempts
- spread_of(attempts.limit_left[attempts.won])
+ spread_of(attempts.limit_left)
scores-of-lost-attempts
- score=spread_of(attempts.score[attempts.won])
+ score=spread_of(attempts.score)
less-than-no-time-left
- .clip(lower_bound=0.0)
+
legal-moves-by-attempt
- float(attempts.legal_moves.sum() / moves)
+ float((attempts.legal_moves / attempts.moves_made).mean())
recalled-time-beyond-the-limit
- estimate = np.minimum(before_last, limit)
+ estimate = before_last

## tests/playtest/test_attempts.py
recalled-legal-moves-cut
- np.rint(self.frame["legal_moves"].fill_null(0).to_numpy() * self.moves_made)
+ (self.frame["legal_moves"].fill_null(0).to_numpy() * self.moves_made)
stars-above-the-score
- (score >= star).astype(np.int32)
+ (score > star).astype(np.int32)
stars-of-losers
- return won * sum(
+ return sum(
time-left-in-milliseconds
- records["time_left"] / 1000 if timed
+ records["time_left"] if timed
moves-left-of-a-clock
- "moves_left": None if timed else records["moves_left"]
+ "moves_left": records["moves_left"]
seeds-by-todays-rules
- last - first + 1, rules)
+ last - first + 1)

## tests/playtest/test_tuning.py
plays-on-though-out-of-reach
-  or past.wins + ran_out < wanted
+
curve-moved-the-other-way
- exp(check.log_odds - on_curve.log_odds - log(
+ exp(on_curve.log_odds - check.log_odds - log(
worst-check-last
- key=lambda check: -abs(check.rate - target)
+ key=lambda check: abs(check.rate - target)
halfway-share-of-the-whole
- (target - below.rate) / (above.rate - below.rate)
+ (target - below.rate) / above.rate
best-check-is-not-fitting
-  + [checks[-1].limit]
+

## tests/playtest/test_batches.py
luck-plays-repeats-times-as-much
- boards = min(attempts, MOST_EXTRA) // REPEATS
+ boards = min(attempts, MOST_EXTRA)
past-the-limit-by-other-seeds
- attempt_seeds(level.digest, agent.spec, seed, 0, min(
+ attempt_seeds(level.digest, agent.spec, 0, 0, min(

## tests/playtest/test_target.py
target-of-one-is-one-percent
- is_percent or value > 1 else
+ is_percent or value >= 1 else

## tests/playtest/test_words.py
luck-below-nothing
- percent(max(luck.share.value, 0.0))
+ percent(luck.share.value)
bottleneck-of-the-tenth
- {goal.done[1]:.0%} of it done in the median
+ {goal.done[0]:.0%} of it done in the median
skill-from-one-end
- if gain.low <= 0 <= gain.high:
+ if gain.low <= 0:

## tests/prediction/test_measures.py
more-left-than-the-limit
- np.clip(attempts.limit_left / limit_of(attempts.level)[0], 0.0, MOST_LEFT)
+ np.maximum(attempts.limit_left / limit_of(attempts.level)[0], 0.0)
left-of-the-lost
- left = np.where(won, np.clip(attempts.limit_left / limit_of(attempts.level)[0], 0.0, MOST_LEFT), 0.0)
+ left = np.clip(attempts.limit_left / limit_of(attempts.level)[0], 0.0, MOST_LEFT)
progress-of-the-worst-goal
- attempts.goal_shares.mean(axis=1)
+ attempts.goal_shares.min(axis=1)
rate-over-all-attempts
- (wins + 0.5) / (len(won) - wins + 0.5)
+ (wins + 0.5) / (len(won) + 0.5)
tail-rounded-down
- round(TAIL * len(margin))
+ int(TAIL * len(margin))
bottleneck-of-won-attempts
-     done = attempts.goal_shares[~attempts.won]
-     return list(
+     done = attempts.goal_shares
+     return list(
bottleneck-by-the-nearest
- furthest_shares(done).argmax()
+ furthest_shares(done).argmin()
jackknife-as-a-plain-variance
- (groups - 1) / groups * spread
+ spread / (groups - 1)

## tests/prediction/test_covariates.py
variance-slope-not-squared
- agent_slopes[self.measures.index("rate")] ** 2 *
+ agent_slopes[self.measures.index("rate")] *
variance-without-the-ends
- is_end, binomial - jackknife, 0.0
+ is_end, 0.0, 0.0
variance-of-wins-alone
- 1 / (wins + 0.5) + 1 / (attempts - wins + 0.5)
+ 1 / (wins + 0.5)
slopes-of-another-agent
- [number * self.width :][: len(self.measures)]
+ [number * len(self.measures) :][: len(self.measures)]
freedom-the-wrong-way
- return self.spread / self.freedom
+ return self.spread * self.freedom
always-is-never
- np.column_stack([measured, wins == 0, wins == attempts])
+ np.column_stack([measured, wins == attempts, wins == 0])

## tests/prediction/test_difficulty.py::test_the_sampling_error_of_agents_is_kept_out_of_sigma
agents-as-if-without-error
- variance = None if mixed is None else self._variance(table, mixed)
+ variance = None
one-round-of-the-fit
- ROUNDS: Final = 3  # of finding
+ ROUNDS: Final = 1  # of finding
variance-by-slopes-in-other-units
- mixed.coef_[1:] / self.scale_.unit
+ mixed.coef_[1:]
variance-by-spreads-without-freedom
- mixed.coef_[1:] / self.scale_.unit
+ mixed.coef_[1:] / self.scale_.spread

## tests/prediction/test_difficulty.py::test_fewer_attempts_of_agents_widen_the_band
sampling-error-not-in-the-band
- variance = self.sampling_variance(table) + self.unlike_variance(table)
+ variance = self.unlike_variance(table)

## tests/prediction/test_difficulty.py::test_the_penalty_is_chosen_without_a_look_at_later_levels
scale-of-later-levels
- self.columns_.scale_of(values[:first])
+ self.columns_.scale_of(values)
early-slopes-of-later-levels
-         k, n, effect, _ = counts.head(first)
-         early = MixedBinomial(penalty=PENALTIES[0]).fit(rows[:first], k, n, design_effect=effect)
+         k, n, effect, _ = counts
+         early = MixedBinomial(penalty=PENALTIES[0]).fit(rows, k, n, design_effect=effect)

## tests/prediction/test_difficulty.py::test_the_penalty_is_chosen_with_the_sampling_error_of_agents
choice-variance-in-other-units
- early.coef_[1:] / scale.unit
+ early.coef_[1:]

## tests/prediction/test_difficulty.py::test_a_slope_is_what_one_spread_adds
slopes-without-freedom
- self.mixed_.coef_[1:] * self.scale_.freedom
+ self.mixed_.coef_[1:]
errors-without-freedom
- (model.mixed_.se_[1:] * model.scale_.freedom)
+ model.mixed_.se_[1:]

## tests/prediction/test_difficulty.py::test_the_attempts_of_agents_are_the_fewest_at_any_level
fewest-attempts-of-the-fit
- "attempts")].to_numpy().min())
+ "attempts")].to_numpy().max())

## tests/prediction/test_difficulty.py::test_points_are_what_a_reason_takes_from_the_rate
reason-points-beyond
- expit(logit) - expit(logit - effect)
+ expit(logit + effect) - expit(logit)

## tests/prediction/test_difficulty.py::test_the_weightiest_features_come_first_to_either_side
reasons-that-help-first
- weighty.sort(key=lambda reason: -abs(reason.effect))
+ weighty.sort(key=lambda reason: -reason.effect)
reasons-that-help-alone
- if abs(reason.points) >= LEAST_POINTS
+ if reason.points >= LEAST_POINTS

## tests/prediction/test_difficulty.py::test_an_effect_is_a_slope_times_the_distance_from_the_average
reasons-of-shifted-columns
- np.split(effects, [len(columns.agents) * columns.width]
+ np.split(effects, [len(columns.agents) * len(columns.measures)]

## tests/prediction/test_difficulty.py::test_reasons_name_what_makes_the_difference
bottleneck-of-who-won-often
- if attempts - wins >= ENOUGH:
+ if wins >= ENOUGH:
bottleneck-of-the-worst-agent
- key=lambda agent: -success_rate(table, agent, row)
+ key=lambda agent: success_rate(table, agent, row)

## tests/prediction/test_difficulty.py::test_a_band_that_says_nothing_has_no_verdict
verdict-of-a-wide-band
- if is_possible and band_95[1] - band_95[0] > TELLS_NOTHING:
+ if band_95[1] - band_95[0] > TELLS_NOTHING:

## tests/prediction/test_difficulty.py::test_verdicts
target-just-beside-the-band
- if band_50[0] - TOLERANCE <= target <= band_50[1] + TOLERANCE:
+ if band_50[0] <= target <= band_50[1]:
harder-is-easier
- side = "harder" if band_50[1] < target else "easier"
+ side = "easier" if band_50[1] < target else "harder"
verdicts-always-sure
- return f"probably {side}" if is_possible else side
+ return side

## tests/prediction/test_levels.py
half-band-for-the-whole
- return self.row["low_95"], self.row["high_95"]
+ return self.row["low_50"], self.row["high_50"]
infinite-numbers-in-data
- value if not isinstance(value, float) or isfinite(value) else None
+ value
rates-of-agents-at-the-first-level
- agent: success_rate(table, agent, number) for agent in model.origin_.attempts
+ agent: success_rate(table, agent, 0) for agent in model.origin_.attempts
simulated-players-pass-for-people
- simulated=model.origin_.simulated,
+ simulated=False,

## tests/prediction/test_selection.py
choice-without-uncertain-slopes
- (summit.sigma * judge.stretch) ** 2 + judge.variance + uncertain
+ (summit.sigma * judge.stretch) ** 2 + judge.variance
choice-without-known-variance
- (summit.sigma * judge.stretch) ** 2 + judge.variance + uncertain
+ (summit.sigma * judge.stretch) ** 2 + uncertain
choice-errors-without-a-root
- gaps.std(axis=1, ddof=1) / np.sqrt(scores.shape[1])
+ gaps.std(axis=1, ddof=1) / scores.shape[1]
choice-errors-of-the-scores
- gaps = scores[usable] - scores[best]
+ gaps = scores[usable]
one-error-takes-the-smallest
- np.flatnonzero(close)[-1]
+ np.flatnonzero(close)[0]

## tests/prediction/test_band.py::test_sigmas_weights_are_those_of_slow_integration
sigma-end-not-halved
-     logs[places < step / 2] -= np.log(2)  # 0 is the end of the range
+     # no end
weights-without-coefficients
- integrated = height - size / 2 if
+ integrated = height if
weights-without-the-steps-size
-  + prior.log_density(sigma) + np.log(unit * np.cosh(place))
+  + prior.log_density(sigma)
weights-without-a-prior
- integrated + prior.log_density(sigma) + np.log
+ integrated + np.log
weights-not-normalized
- weights[kept] / weights.sum(),
+ weights[kept],
band-grid-cut-early
- GRID_DROP = 9.0
+ GRID_DROP = 1.0

## tests/prediction/test_band.py::test_far_from_the_fitted_levels_the_band_is_wider
band-without-coefficients
- np.sqrt(spread + own + walked + variance)
+ np.sqrt(own + walked + variance)

## tests/prediction/test_band.py::test_the_band_is_the_one_of_the_normal_distribution_where_all_is_well_known
band-sigma-not-squared
- own = (self.sigmas[:, None] * stretch) ** 2
+ own = self.sigmas[:, None] * stretch

## tests/prediction/test_band.py::test_a_band_holds_its_level_of_the_draws
band-rank-one-too-high
- np.ceil(shares * draws) - 1
+ np.ceil(shares * draws)

## tests/prediction/test_band.py::test_attempts_change_the_band_and_not_the_rate
median-of-what-is-observed
-         quantiles[0, part] = rates[:, _ranks(shares[:1], draws)[0]]
+

## tests/prediction/test_mixed_binomial.py
penalty-by-the-spread
- self.ridge = units.T @ precision @ units
+ self.ridge = precision @ units
error-of-sigma-for-its-log
- = units, 1 / summit.sigma
+ = units, 1.0
sigma-interval-off-half-a-step
- np.cumsum(grid.weights) - grid.weights / 2
+ np.cumsum(grid.weights)

## tests/prediction/test_evaluation.py::test_levels_are_judged_by_the_band_of_what_is_observed
ranks-by-one-sort
- np.argsort(np.argsort(rate, kind="stable"), kind="stable")
+ np.argsort(rate, kind="stable")
outside-at-the-very-end
- (rate < predictions["low_95"].to_numpy()) | (rate > predictions["high_95"].to_numpy())
+ (rate <= predictions["low_95"].to_numpy()) | (rate >= predictions["high_95"].to_numpy())
judged-by-the-true-rates-band
- predictions = model.predict(model.placed(table), attempts)
+ predictions = model.predict(model.placed(table))

## tests/prediction/test_evaluation.py::test_figures_by_hand
width-of-the-50-percent-band
- _mean(levels["high_95"] - levels["low_95"])
+ _mean(levels["high_50"] - levels["low_50"])
thirds-outside-of-all
- tuple(_mean(third["outside"]) for third in thirds)
+ tuple(_mean(levels["outside"]) for third in thirds)

## tests/prediction/test_evaluation.py::test_judging_by_hand
adjusted-without-a-root
- delta / np.sqrt(middle * (1 - middle))
+ delta / (middle * (1 - middle))

## tests/prediction/test_evaluation.py::test_own_rates_without_a_model
deviation-of-the-sample
- np.std(column.to_numpy(), ddof=1)
+ np.std(column.to_numpy())

## tests/prediction/test_evaluation.py::test_levels_where_an_agent_is_at_an_end_are_told_apart
ends-where-nobody-won
- pl.col(agent).is_in([0.0, 1.0])
+ pl.col(agent).is_in([0.0])

## tests/prediction/test_evaluation.py::test_a_baseline_knows_what_its_name_says
baseline-of-an-agent-knows-features
- ("rate",), ()) for agent in agents},
+ ("rate",)) for agent in agents},

## tests/prediction/test_evaluation.py::test_what_comes_later_is_not_looked_at
judged-levels-are-fitted
- past, rest = table.head(first), table.slice(first)
+ past, rest = table, table.slice(first)

## tests/prediction/test_seen.py
columns-that-never-varied-count
-         beyond = self._beyond(values) / scale.spread
-         beyond[:, self.constant] = 0
+         beyond = self._beyond(values) / scale.spread
parts-not-squared
- self.unseen * new
+ self.unseen**0.5 * new
unlike-levels-as-sure
- variance = self.sampling_variance(table) + self.unlike_variance(table)
+ variance = self.sampling_variance(table)
never-is-better
- (value > most) != (columns.parts[part] == NEVER)
+ value > most

## tests/prediction/test_features.py
layers-of-blockers-lost
- (cell.layers or 1) if cell.blocker == element.name else 0
+ 1 if cell.blocker == element.name else 0
turns-without-cascades
- (pace.move + _USUAL_ROUNDS * pace.round)
+ (pace.move + pace.round)
shares-of-all-cells
- sum(test(cell) for cell in self.tiles) / len(self.tiles)
+ sum(test(cell) for cell in self.tiles) / len(self.level.cells)

## tests/prediction/test_people.py
simulated-count-as-people
- people = results.filter(~pl.col("simulated"))
+ people = results
people-and-simulated-pooled
- stored = people if people.height else results
+ stored = results
simulated-not-told
-         not people.height,
-         outdated,
+         False,
+         outdated,
earlier-digest-forgotten
- (named.level.name, named.level.digest, named.level.earlier_digest)
+ (named.level.name, named.level.digest)
populations-pooled
- if origins.height > 1 and not people.height:
+ if origins.height > 2 and not people.height:

## tests/prediction/test_playing.py
table-of-another-seed
-             attempts,
-             seed,
-             threads,
-             sink=made,
+             attempts,
+             0,
+             threads,
+             sink=made,
wins-that-are-hardly-any
- GoesOn(MOST_TIMES * attempts, ceil(FEWEST_WON * attempts))
+ GoesOn(MOST_TIMES * attempts, 1)
who-hardly-wins-plays-no-more
-             ceiling=goes_on.ceiling,
+             ceiling=attempts,
table-forgets-levels
- for start in range(0, len(levels), LEVELS_AT_ONCE):
+ for start in range(0, len(levels) - 1, LEVELS_AT_ONCE):

## tests/store/test_measures.py
measures-of-attempts-that-changed
- and fingerprints.get((row["level"], row["agent"])) == row["fingerprint"]
+ and (row["level"], row["agent"]) in fingerprints
measures-of-attempts-that-are-gone
- if count == attempts:
+ if count:
damaged-measures
- if row["checksum"] == checksum
+ if True

## tests/prediction/test_comparison.py
differences-as-if-independent
- half = float(stdtrit(count - 1, 0.975) * differences.std(ddof=1) / np.sqrt(count))
+ half = float(stdtrit(count - 1, 0.975) * np.std(ours) / np.sqrt(count))
densities-by-half-the-band
- spread = (upper - lower) / (2 * ndtri(0.975))
+ spread = (upper - lower) / (4 * ndtri(0.975))

## tests/studies/test_sokoban_study.py
levels-judged-by-themselves
- fit, rest = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
+ fit, rest = np.arange(len(folds)), np.flatnonzero(folds == fold)
levels-of-a-collection-as-many
- sums[collection] += float(difference) - mean
+ sums[collection] = float(difference) - mean

## tests/prediction/test_tuning.py
pools-of-equal-weight
- (before * number + mean * count) / (number + count)
+ (before + mean) / 2
pools-once
- while pools and pools[-1][0] > mean:
+ if pools and pools[-1][0] > mean:
present-limit-has-no-privilege
- return off, limit != self._present, abs(rate - self._target), limit
+ return off, False, abs(rate - self._target), limit
on-target-is-not-reached
-  or best.verdict == "on target"
+
no-neighbors
-     search.look_at(search.neighbors())
+
no-further-limits
-     if search.rising[-1] < target:
+     if False:

## tests/prediction/test_words.py
hardly-anybody-by-the-high-end
-     if low > MOST_ATTEMPTS:
+     if high > MOST_ATTEMPTS:

## tests/people/test_rates.py
clusters-not-corrected
- clusters / (clusters - 1) * residuals
+ residuals
normal-quantile-of-players
- float(t.ppf(tail, clusters - 1))
+ float(norm.ppf(tail))
degrees-of-all-players
- t.ppf(tail, clusters - 1)
+ t.ppf(tail, clusters)
players-less-alike-than-chance
- observed = max(1.0, clusters
+ observed = min(1e9, clusters
prior-of-one-success
- _PRIOR_SUCCESSES: Final = 2
+ _PRIOR_SUCCESSES: Final = 1
residuals-of-uncorrelated
- ss - 2 * rate * asum + rate * rate * aa
+ ss - rate * asum + rate * rate * aa
prior-counts-successes-only
- fewer = min(successes, n - successes)
+ fewer = successes
one-sided-interval
-     tail = (1 + level) / 2
+     tail = level
nameless-rows-are-one-player
- .then(pl.int_range(pl.len())).alias("alone")
+ .then(pl.lit(0)).alias("alone")
successes-without-attempts-lost
- clusters.filter((attempts > 0) | (successes > 0))
+ clusters.filter(attempts > 0)
levels-as-letters-sort
- key=lambda row: natural(names[row])
+ key=lambda row: names[row]

## tests/people/test_selection.py
cohorts-of-people-pooled
- if origins.height > 1 and cohort is None:
+ if origins.height > 9 and cohort is None:
boosters-counted
- without, boosted = rows.filter(~_BOOSTED), rows.filter(_BOOSTED)
+ without, boosted = rows, rows.filter(_BOOSTED)
a-player-alone-is-sure
- low, high, effect = 0.0, 1.0, float(n)
+ low, high, effect = 0.0, 1.0, 1.0

## tests/people/test_persistence.py
spread-not-in-logits
- 1.0 / (variance * (1.0 - mean)), 1.0 / (variance * mean)
+ mean / variance, (1.0 - mean) / variance
quitting-forgotten
- return (1.0 - self.gave_up) / self.attempts
+ return 1.0 / self.attempts
gone-players-still-trying
- trying = int(table.filter(wins | (pl.col("lost") > tried))["players"].sum())
+ trying = int(table.filter(pl.col("lost") >= tried)["players"].sum())
days-added-up-twice
- .group_by("level", "cohort", "player")
-         .agg(attempts.sum(), successes.sum())
+ .group_by("level", "cohort", "player", "date")
+         .agg(attempts.sum(), successes.sum())
who-still-tries-gave-up
- pl.col("won") | (pl.col("last") < pl.col("last").max())
+ pl.col("won") | (pl.col("last") <= pl.col("last").max())

## tests/people/test_leaving.py
everybody-who-gives-up-leaves-alike
- self.population.leave * self.given_up[player] / self.played[player]
+ self.population.leave
the-gone-are-still-there
- played = self.is_present[visited.player]
+ played = visited.player >= 0
levels-before-in-no-order
-         before.update(named.level.digest.encode() + b"\0")
+         pass

## tests/people/test_traits.py
skill-and-own-part-not-balanced
- sqrt(1 - trait.load * trait.load)
+ (1 - trait.load)
types-make-no-difference
- kind.types[type_name].get(name, 1.0)
+ 1.0
signed-traits-around-one
-         return factor * trait.spread * deviation
+         return factor + trait.spread * deviation
shares-unchecked
-     if abs(total - 1) > _ROUNDING:
+     if abs(total - 1) > 1:
shares-as-they-come
- for name in KIND_OF if mix.get(name)}
+ for name in mix if mix.get(name)}
learning-by-attempts
- log2(1.0 + attempt)
+ float(attempt)
traits-beyond-their-most
- min(trait.middle * grown, trait.most)
+ trait.middle * grown
probabilities-as-odds
- odds / (1 + odds)
+ min(odds, 1.0)
learning-all-grows
- column * growth if trait.learned == GROWS else column / growth
+ column * growth
learned-looks-in-parts
- np.round(learned) if trait.whole else learned
+ learned

## interpreted tests/people/test_mind.py
errors-half-as-large
- 2.0 * (uniform(rng) + uniform(rng) + uniform(rng) - 1.5)
+ (uniform(rng) + uniform(rng) + uniform(rng) - 1.5)
bombs-alarm-nobody
- traits[ALARM] * impression[DANGER]
+ 0.0 * impression[DANGER]
size-is-not-seen
- _SIZE_APPEAL * (impression[SIZE] - _PLAIN_SIZE)
+ 0.0
the-obvious-repels-from-afar
- max(0.0, 1.0 - distance / _FAR)
+ 1.0 - distance / _FAR
distance-in-steps
-     return max(rows, columns)
+     return rows + columns
purpose-makes-no-difference
- if not seeks or state.jelly[i]
+ if seeks or state.jelly[i]
content-is-never-reached
- best_appeal >= traits[CONTENT]
+ best_appeal >= 1000 * traits[CONTENT]
eye-forgets-where-it-was
-     noticed[-1] = first_cell(moves[best])
+
eye-strays-off-the-board
- min(max(column, 0), int(level.columns) - 1)
+ max(column, 0)

## tests/people/test_planner.py
misreadings-half-as-large
- _ROOT_OF_6 * (uniform(rng) + uniform(rng) - 1.0)
+ uniform(rng) + uniform(rng) - 1.0
sides-turned-round
- 2.0 * cell / (length - 1) - 1.0
+ 1.0 - 2.0 * cell / (length - 1)
down-is-across
- traits[DOWN] * _place(row, level.rows)
+ traits[DOWN] * _place(column, level.rows)
neighborhood-of-four-steps
- _NEIGHBORHOOD: Final = 3
+ _NEIGHBORHOOD: Final = 4
the-same-move-comes-twice
-         moves[k], moves[drawn] = moves[drawn], moves[k]
+         moves[k] = moves[drawn]
boredom-from-the-start
- uniform(rng) < traits[BOREDOM] * share_used(level, states[GAME])
+ uniform(rng) < traits[BOREDOM]
one-sample-for-all
- for _ in range(samples):
+ for _ in range(min(samples, 1)):
always-two-moves-deep
- goes_on = deep and state.status == PLAYING
+ goes_on = state.status == PLAYING and state.moves_made < states[GAME].moves_made + 2
second-move-with-fewest-specials
- if specials > most:
+ if specials < most or most < 0:
the-worst-outcome
- if k == 0 or value > best_value:
+ if k == 0 or value < best_value:

## tests/people/test_outcome.py
goals-minded-from-the-start
- 1.0 if share_used(level, before) >= traits[LATE] else FORGOTTEN
+ 1.0
ingredients-count-only-when-out
-             rows_sunk += i // STRIDE
+             rows_sunk += 0
made-counts-as-set-off
- specials_made(after) - specials_made(before) - more)
+ specials_made(after) - specials_made(before))
hidden-bombs-alarm
- state.piece[i] == COUNTDOWN and not HIDES[state.blocker[i]]:
-             total += 1.0
+ state.piece[i] == COUNTDOWN:
+             total += 1.0
disaster-unseen
-             value -= DISASTER
+             value -= 0.0
time-used-beyond-the-limit
- min(1.0, max(0.0, 1.0 - state.time_left / level.milliseconds))
+ 1.0 - state.time_left / level.milliseconds
layers-grow-on-those-who-like-it
- layers_left(before) - layers_left(after)
+ layers_left(after) - layers_left(before)
points-in-a-straight-line
- log2(1.0 + (after.score - before.score) / LINE_POINTS[level.scoring])
+ (after.score - before.score) / LINE_POINTS[level.scoring]

## interpreted tests/people/test_impression.py
goals-asked-once-more
- state.count[count] < level.asked[count])
+ state.count[count] <= level.asked[count])
fuse-of-any-length
- impression[DANGER] += 1.0 / max(1, int(state.timer[i]))
+ impression[DANGER] += 1.0
blockers-beside-count-whole
- impression[GOAL] += BESIDE_BLOCKER * appeal
+ impression[GOAL] += appeal
locks-beside-are-seen-from-the-left
- appeal += _appeal_beside(level, state, i - 1)
+ appeal += _blocker_appeal(level, state, i - 1)
time-candies-unseen
-         impression[DANGER] += 0.5
+         impression[DANGER] += 0.0
wrapped-pairs-no-larger
- 3.0 + (first_piece == WRAPPED) + (second_piece == WRAPPED)
+ 3.0
jelly-under-blockers-unseen
- return 1.0 if state.jelly[i] and is_asked(level, state, COUNT_JELLY) else IN_THE_WAY
+ return IN_THE_WAY
ordered-bombs-unseen
- if is_asked(level, state, COUNT_COUNTDOWN):
-             impression[GOAL] += 1.0
+ if False:
+             impression[GOAL] += 1.0
specials-of-plain-rules
-     if level.rules == PLAIN:
-         return
-     if max(across, down) >= 5:
+     if max(across, down) >= 5:

## interpreted tests/people/test_impression.py
lines-beside-what-they-do-not-touch
- blocker == NO_BLOCKER or IS_TOUCHED[blocker]:
+ True:

## interpreted tests/agents/test_heuristic.py::test_a_countdown_bomb_in_marmalade_is_less_urgent
covered-bomb-as-urgent-as-a-free-one
- WEIGHTS.fuse // (1 + max(1, int(state.timer[i])))
+ WEIGHTS.fuse // max(1, int(state.timer[i]))

## interpreted tests/agents/test_mcts_formulas.py
forgets-the-range-no-more
-     tree.number[NODES] = 0
-     tree.number[HAS_RANGE] = 0
+     tree.number[NODES] = 0
forgets-the-choice-no-more
-     tree.number[CHOSEN] = NONE
-     tree.number[NODES] = 0
+     tree.number[NODES] = 0
leaf-is-not-noted
-         tree.number[LEAF] = leaf
+

## interpreted tests/agents/test_mcts_priors.py::test_puct
first-try-by-chance
- math.sqrt(max(1.0, parent_visits))
+ math.sqrt(parent_visits)

## interpreted tests/agents/test_mcts_priors.py::test_the_largest_puct_is_selected
untried-worth-nothing
- tree.action_value[first + k] / visits if visits else parent_mean
+ tree.action_value[first + k] / visits if visits else 0.0

## interpreted tests/agents/test_mcts_priors.py::test_the_root_knows_the_games_last_move
root-knows-no-last-move
- return tree.number[LAST_MOVE] if action == NONE
+ return NONE if action == NONE

## interpreted tests/agents/test_mcts_priors.py::test_each_move_of_a_playout_follows_the_one_before
playouts-follow-nothing
- int(options[PLAYOUT]), move)
+ int(options[PLAYOUT]), NONE)

## interpreted tests/agents/test_mcts_priors.py::test_the_last_move_is_noted_whether_searched_or_random
random-moves-are-not-noted
-         tree.number[LAST_MOVE] = move
+         tree.number[LAST_MOVE] = tree.action_move[tree.number[CHOSEN]]

## tests/people/test_simulate.py tests/people/test_provenance.py
winners-go-on
- trying = trying[rows["status"] != WON]
+ trying = trying[rows["status"] == WON]
seeds-shared-by-neighbors
- seeds[trying * MOST_TRIES + attempt]
+ seeds[trying + attempt]
ordered-by-attempt
- np.lexsort((number, player))
+ np.lexsort((player, number))
moves-left-of-losers
- np.where(visited.won & (visited.named.level.moves is not None), left, np.nan)
+ np.where(visited.named.level.moves is not None, left, np.nan)
patience-one-attempt-more
- trying[tries[trying] > attempt]
+ trying[tries[trying] >= attempt]
learning-starts-late
- population.at_attempt(trying, attempt)
+ population.at_attempt(trying, 0)

## tests/people/test_renewal.py
as-many-players-are-more
- elif players > len(population):
+ elif players >= len(population):
players-of-other-levels-are-more
- if provenance and provenance.is_alike(today)),
+ if provenance),
known-among-others
- if stored_sources == {today.source}:
+ if today.source in stored_sources:

## tests/people/test_provenance.py
any-version-is-alike
- self_parts == other_parts
+ self_parts[1:] == other_parts[1:]

## tests/people/test_records.py
days-without-attempts-counted-twice
- pl.col("attempts") > 0, pl.col("successes") > pl.col("attempts")
+ pl.col("successes") > pl.col("attempts")
days-need-attempts
- ~_DATED & (parsed["successes"] > parsed["attempts"])
+ (parsed["successes"] > parsed["attempts"])
fractions-of-attempts
- (number == number.floor()) & (number >= least)
+ (number >= least)
first-of-doubles-is-the-last
- pl.col("row").min().over(KEY)
+ pl.col("row").max().over(KEY)

## tests/report/test_numbers.py
endings-of-won-attempts
- short(count / played.statistics.attempts)
+ short(count / max(played.statistics.wins, 1))
bins-of-the-agent-with-most-wins
- short(count / len(of_agent))
+ short(count / max(map(len, known)))
half-as-many-bins
- round(2 * sqrt(count))
+ round(sqrt(count))
curve-without-its-end
- range((curve.longest - 1) % step + 1, curve.longest + 1, step)
+ range(1, curve.longest + 1, step)
luck-below-nothing-on-the-page
- max(lucky.luck.share.value or 0.0, 0.0)
+ (lucky.luck.share.value or 0.0)
ranked-by-the-sum
- sum(rates[agent]) / len(rates[agent])
+ sum(rates[agent])
present-limit-by-losses
- Check(int(limit), attempts.wins, len(attempts))
+ Check(int(limit), len(attempts) - attempts.wins, len(attempts))
skill-of-the-weak
- skill(weak.wins, weak.attempts, strong.wins, strong.attempts)
+ skill(strong.wins, strong.attempts, weak.wins, weak.attempts)

## tests/report/test_prediction_numbers.py
edge-in-the-lower-range
- np.searchsorted(COVERAGE_EDGES, rates, side="right") - 1
+ np.searchsorted(COVERAGE_EDGES, rates, side="left") - 1
whiskers-of-one-box
- reach = WHISKERS * (third - first)
+ reach = third - first
band-without-its-end
- (observed >= levels[f"low_{band}"].to_numpy())
+ (observed > levels[f"low_{band}"].to_numpy())
parts-of-equal-weight
- counts[parts] += sizes[parts] / sizes[parts].sum()
+ counts[parts] += 1 / len(sizes[parts])
misses-to-one-side
- off.sort(pl.col("delta").abs(), descending=True
+ off.sort(pl.col("delta"), descending=True
misses-within-five-points-forgotten
- (pl.col("delta").abs() >= CLEARLY_OFF) | pl.col("outside")
+ pl.col("delta").abs() >= CLEARLY_OFF
trend-the-other-way
- np.polyfit(x, y, 1)
+ np.polyfit(y, x, 1)

## tests/prediction/test_walk.py
slope-of-a-walk-ends-with-the-fit
- (np.asarray(times) - self.end) / self.span, done - 1
+ np.minimum(np.asarray(times) - self.end, 0) / self.span, done - 1
steps-as-far-as-the-whole-walk
- np.diff(self.knots) / self.span
+ np.ones(len(self.knots) - 1)
walk-prior-not-normalized
- np.log1p(share**2)) - normalized
+ np.log1p(share**2))
walks-as-far-in-any-saga
- size * float(np.sqrt(self.rows / SIZE_LEVELS)) for size
+ size for size
walk-ahead-not-squared
- self.walks[:, None] ** 2 * ahead
+ self.walks[:, None] * ahead

## tests/prediction/test_prior.py
curve-of-the-variance
- np.exp((self.slope * u + self.bend * u**2) / 2)
+ np.exp(self.slope * u + self.bend * u**2)
curve-without-a-prior
- np.sum(place[1:] ** 2) / (2 * PRIOR_SPREAD**2)
+ 0.0
curve-of-the-counts-error
- known = 1 / information[use] + design.variance[use]
+ known = design.variance[use]
curve-of-the-agents-error
- known = 1 / information[use] + design.variance[use]
+ known = 1 / information[use]
prior-of-log-sigma-for-sigma
- max(-(away**2) / 2 - np.log(sigma / self.middle), LOWEST_LOG)
+ max(-(away**2) / 2, LOWEST_LOG)
penalty-for-a-variance
- np.full(len(self.mean), 1 / penalty)
+ np.full(len(self.mean), penalty)
center-on-the-other-side
- center = -squares[0, 1] / squares[1, 1]
+ center = squares[0, 1] / squares[1, 1]
populations-around-their-own-mean
- squares = departures.T @ departures / (len(lines) - 1)
+ squares = np.cov(departures.T)
slope-not-around-the-center
-         slope[0] -= self.center
+
departures-in-other-units
- shared = back @ prior.shared @ back.T
+ shared = prior.shared
prior-mean-in-other-units
- np.linalg.solve(units, mean)
+ mean

## tests/prediction/test_unseen.py
left-out-with-the-usual-spread
- np.average(errors**2 - known, weights=known**-2)
+ np.average(errors**2, weights=known**-2)
left-out-by-slopes-that-are-sure
- known = rows.variance[has] + uncertain
+ known = rows.variance[has]
elements-all-alike
- known.mean() + known.std(ddof=1)
+ known.mean()
own-column-of-what-is-left-out
- np.ptp(rows.columns[without], axis=0) > 0
+ np.ptp(rows.columns[without], axis=0) >= 0
drift-of-players-by-an-element
- (attempts - successes + 0.5)) - drifted
+ (attempts - successes + 0.5))

## tests/prediction/test_populations.py::test_the_band_for_players_who_are_not_known_by_drawing
as-sure-by-few-populations
- scales = freedom / chdtri(freedom, quantiles)
+ scales = np.ones(QUANTILES)

## tests/prediction/test_populations.py::test_populations_count_alike_in_their_average
average-of-who-has-most-attempts
- pl.col("n").min(), pl.col("rate").mean()
+ pl.col("n").max(), pl.col("rate").mean()
populations-of-dependent-attempts
- n=pl.col("attempts") / pl.col("design_effect"),
+ n=pl.col("attempts"),

## tests/prediction/test_populations.py::test_predictions_tell_the_rank_and_both_bands
easier-is-harder
- "harder_than": 1 - np.interp(
+ "harder_than": np.interp(

## tests/prediction/test_populations.py::test_the_average_band_is_that_of_all_attempts_together
average-band-of-the-unknown
- alike = self.mixed_.predict(rows, **options)
+ alike = self.players_fit().predict(rows, **options)

## tests/prediction/test_populations.py::test_a_few_levels_with_a_prior_beat_as_many_alone
prior-without-a-shift
- [self.shift * shift, self.slope * slope]
+ [0 * shift, self.slope * slope]

## tests/prediction/test_populations.py::test_players_who_change_are_followed_along_the_saga
new-levels-at-the-last-place
- self.places_.get(name, walk.end + 1)
+ self.places_.get(name, walk.end)

## tests/prediction/test_compare.py
unlike-levels-each-in-its-own-way
- unlike[0, 1] = unlike[1, 0] = model.unlike_covariance(table)
+ unlike[0, 1] = unlike[1, 0] = 0.0
difference-as-if-on-other-boards
- matrix[0, 1] = matrix[1, 0] = min(
+ matrix[0, 1] = matrix[1, 0] = 0 * min(
attempts-tell-all-that-is-unknown
- room = (logit / NORMAL_95) ** 2 - fixed
+ room = (logit / NORMAL_95) ** 2
needed-attempts-not-squared
- number * (NORMAL_95 * error / center) ** 2
+ number * abs(NORMAL_95 * error / center)
kappa-shared-by-a-sum
- np.mean(((values[1] - values[0]) / model.scale_.spread) ** 2)
+ np.sum(((values[1] - values[0]) / model.scale_.spread) ** 2)

## tests/losses/test_reasons.py
over-attempts-fall-back-to-nothing
- (0, longest + 1 - len(course)), mode="edge")
+ (0, longest + 1 - len(course)))
still-by-all-of-the-goals
- np.argmax(course >= DONE_BY * course[-1])
+ np.argmax(course >= DONE_BY)
luck-decides-by-its-middle
- decides = luck.share.low >= DECIDES
+ decides = share >= DECIDES
better-play-against-all-attempts
- if gained.gain.low >= PAYS * losses:
+ if gained.gain.low >= PAYS:
rest-over-all-lost-attempts
- (boards[:, hot].sum(axis=1)[left > 0] / left[left > 0]).mean()
+ boards[:, hot].sum() / left.sum()
never-came-by-what-was-done
- share = float((done + on_board < asked).mean())
+ share = float((done < asked).mean())
limit-helps-by-all-attempts
- gain >= MANY_SAVED * (1 - now)
+ gain >= MANY_SAVED

## tests/report/test_board.py
heat-rows-from-nothing
- str(row + 1), "name")
+ str(row), "name")
"""


class Edit(NamedTuple):
    """A mistake: text of the package, what stands in its place, and the tests that are to notice it."""

    name: str
    old: str
    new: str
    tests: tuple[str, ...]
    interpreted: bool


class BadEditError(Exception):
    """An edit that cannot be made, or says nothing."""


def parse_edits(text: str) -> list[Edit]:
    """The edits of a text such as EDITS."""
    edits: list[Edit] = []
    heading: list[str] = []
    name, old, new = "", [], []
    for line in [*text.splitlines(), "## "]:
        if line.startswith("- "):
            old.append(line[2:])
        elif line.startswith("+"):
            new.append(line[2:])
        else:
            if old:
                tests = tuple(word for word in heading if word != INTERPRETED)
                edits.append(Edit(name, "\n".join(old), "\n".join(new), tests, INTERPRETED in heading))
            old, new = [], []
            if line.startswith("## "):
                heading = line[3:].split()
            else:
                name = line
    return edits


def check(edits: Sequence[Edit]) -> None:
    """BadEditError unless every edit can be made: with a name, a place and tests of its own."""
    twice = [name for name, count in Counter(edit.name for edit in edits).items() if count > 1]
    if twice:
        raise BadEditError(f"{twice[0]}: given twice; expected a name for each edit")
    texts = package_texts(ROOT)
    for edit in edits:
        place(texts, edit)
        for test in edit.tests:
            file, _, function = test.partition("::")
            is_there = (ROOT / file).is_file()
            if not is_there or (function and f"\ndef {function}(" not in (ROOT / file).read_text()):
                raise BadEditError(f"{edit.name}: no tests {test}; expected a file, or a test in it")


def package_texts(tree: Path) -> dict[Path, str]:
    """The texts of the package's files by their paths in a tree."""
    return {path.relative_to(tree): path.read_text() for path in sorted((tree / PACKAGE).rglob("*.py"))}


def place(texts: Mapping[Path, str], edit: Edit) -> Path:
    """The file that an edit is to be made in; BadEditError unless its old text is there exactly once."""
    holding = [path for path, text in texts.items() for _ in range(text.count(edit.old))]
    if len(holding) != 1:
        places = ", ".join(str(path) for path in holding) or "nowhere"
        raise BadEditError(f"{edit.name}: {edit.old!r} is {places}; expected it once in {PACKAGE}")
    return holding[0]


def run_tests(tree: Path, tests: Sequence[str], interpreted: bool, seconds: float) -> int | None:
    """What pytest returns; None if it takes too long."""
    environment = os.environ | {
        "PYTHONPATH": str(tree / "src"),
        "LEVELSENSE_CACHE_DIR": str(tree / "cache"),
        "LEVELSENSE_SAME_EXAMPLES": "1",
    }
    environment |= {"NUMBA_DISABLE_JIT": "1"} if interpreted else {}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        return subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, timeout=seconds
        ).returncode
    except subprocess.TimeoutExpired:
        return None


def write_anew(path: Path, text: str) -> None:
    """Writes a file with a time that it never had: by seconds and size, Python knows stale bytecode."""
    later = path.stat().st_mtime + 10
    path.write_text(text)
    os.utime(path, (later, later))


def outcome(tree: Path, edit: Edit) -> str:
    """Whether the tests notice an edit; the tree is afterwards as before."""
    path = tree / place(package_texts(tree), edit)
    before = path.read_text()
    try:
        write_anew(path, before.replace(edit.old, edit.new))
        code = run_tests(tree, edit.tests, edit.interpreted, MOST_SECONDS)
    finally:
        write_anew(path, before)
    if code not in (PASSED, FAILED, None):
        raise BadEditError(f"{edit.name}: pytest returns {code}; expected an edit that can be imported")
    return {PASSED: "survived", FAILED: "killed", None: "timeout"}[code]


def copy_tree(tree: Path) -> None:
    """A copy to edit, with a cache of what is compiled already."""
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_OUT), dirs_exist_ok=True)
    if user_cache().is_dir():
        shutil.copytree(user_cache(), tree / "cache")


def outcomes(edits: Sequence[Edit]) -> Iterator[tuple[Edit, str, float]]:
    """Each edit with what came of it and the seconds it took; BadEditError if tests fail without any."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = Path(folder)
        copy_tree(tree)
        for interpreted in (False, True):
            tests = {test: None for edit in edits if edit.interpreted == interpreted for test in edit.tests}
            if tests and run_tests(tree, list(tests), interpreted, MOST_SECONDS_OF_ALL) != PASSED:
                raise BadEditError(f"tests fail without any edit, among {', '.join(tests)}")
        for edit in edits:
            start = time.perf_counter()
            yield edit, outcome(tree, edit), time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description="How many mistakes in the statistics the tests notice.")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these edits only")
    parser.add_argument("--list", action="store_true", help="list and check the edits, and make none")
    asked = parser.parse_args()
    edits = parse_edits(EDITS)
    unknown = {*(asked.only or [])} - {edit.name for edit in edits}
    if unknown:
        sys.exit(f"--only: no edit {', '.join(sorted(unknown))}; --list shows all")
    chosen = [edit for edit in edits if not asked.only or edit.name in asked.only]
    try:
        check(edits)
        if asked.list:
            for edit in chosen:
                print(f"{edit.name:40} {' '.join(edit.tests)}")
            return
        counts = Counter[str]()
        for edit, result, seconds in outcomes(chosen):
            counts[result] += 1
            print(f"{result:10}{edit.name:44}{seconds:6.1f} s", flush=True)
    except BadEditError as error:
        sys.exit(str(error))
    noticed = counts["killed"] + counts["timeout"]
    print(f"{noticed} of {len(chosen)} noticed ({noticed / len(chosen):.1%})", dict(counts))
    sys.exit(int(counts["survived"] > 0))


if __name__ == "__main__":
    main()
