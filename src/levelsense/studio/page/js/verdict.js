// The verdict on a target by a prediction's bands: the same rule as the server's, for targets that are moved.

const TOLERANCE = 0.01; // a target so near to the 50 % band is met
const TELLS_NOTHING = 0.6; // the width of a 95 % band that says next to nothing

/** `on target`, `probably harder` ...; null without a prediction. */
export function verdictOn(target, prediction) {
  if (!prediction) return null;
  const [low50, high50] = prediction.band_50;
  const [low95, high95] = prediction.band_95;
  const possible = low95 <= target && target <= high95;
  if (possible && high95 - low95 > TELLS_NOTHING) return "cannot tell";
  if (low50 - TOLERANCE <= target && target <= high50 + TOLERANCE) return "on target";
  const side = high50 < target ? "harder" : "easier";
  return possible ? `probably ${side}` : side;
}

/** The verdicts in the order of lists, with the words that stand for them there. */
export const VERDICTS = ["on target", "probably harder", "harder", "probably easier", "easier", "cannot tell"];
