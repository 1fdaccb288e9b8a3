// How pieces look: one shape a color, so that colors are not needed to tell them apart. Paths lie within
// -1 to 1, for SVG (<path d>) and Canvas (new Path2D) alike.

export const CANDIES = {
  r: { name: "red", fill: "#e5484d", edge: "#a91d22", path: "M0-.86A.86.86 0 1 1 0 .86.86.86 0 1 1 0-.86Z" },
  o: { name: "orange", fill: "#f28c28", edge: "#a85a0c", path: "M-.52-.78H.52L.98 0 .52.78H-.52L-.98 0Z" },
  y: { name: "yellow", fill: "#e9cb22", edge: "#9d8600", path: "M0-.98L.88 0 0 .98-.88 0Z" },
  g: {
    name: "green", fill: "#46a758", edge: "#246b33",
    path: "M-.52-.76H.52A.24.24 0 0 1 .76-.52V.52A.24.24 0 0 1 .52.76H-.52A.24.24 0 0 1-.76.52V-.52A.24.24 0 0 1-.52-.76Z",
  },
  b: { name: "blue", fill: "#3e8ede", edge: "#17599c", path: "M0-.92L.9-.24.56.82H-.56L-.9-.24Z" },
  p: { name: "purple", fill: "#9b6ddb", edge: "#5f36a0", path: "M0-.9Q.1-.9.18-.76L.92.58Q1.02.8.78.8H-.78Q-1.02.8-.92.58L-.18-.76Q-.1-.9 0-.9Z" },
  c: {
    name: "cyan", fill: "#2bb3c0", edge: "#0f6d77",
    path: "M0-.98L.27-.33.95-.3.43.14.6.8 0 .44-.6.8-.43.14-.95-.3-.27-.33Z",
  },
  m: {
    name: "magenta", fill: "#d95bb0", edge: "#942a72",
    path: "M0-.22C-.3-1.05-1.05-.75-.94-.2-.86.28-.3.6 0 .9.3.6.86.28.94-.2 1.05-.75.3-1.05 0-.22Z",
  },
};

/** The parts of a board token: what kind of piece it draws, its letter, mark and number. */
export function readToken(token) {
  const first = token[0];
  if (token === "-") return { kind: "gap" };
  if (token === "*") return { kind: "color bomb" };
  if (token === "S") return { kind: "swirl" };
  if (token === "C") return { kind: "cherry" };
  if (token === "H") return { kind: "hazelnut" };
  if (first in CANDIES || first === ".") {
    const rest = token.slice(1);
    const letter = first === "." ? null : first;
    if (/^\d+$/.test(rest)) return { kind: "candy", letter, timer: Number(rest) };
    return { kind: "candy", letter, mark: rest || null };
  }
  return { kind: "blocker", token: first, layers: Number(token.slice(1)) || 1 };
}

/** Blockers and pieces without a color: ground, ink, and what is drawn on them. */
export const GROUNDS = {
  "#": { name: "icing", ground: "#eef3f7", ink: "#7d9bb5", edge: "#b9cbd9" },
  X: { name: "chocolate", ground: "#7a4a21", ink: "#f6e3d0", edge: "#54300f" },
  T: { name: "toffee", ground: "#c9945c", ink: "#5e3b14", edge: "#8f6433" },
  D: { name: "dark chocolate", ground: "#4a2326", ink: "#e9c9cb", edge: "#2b1113" },
  P: { name: "popcorn", ground: "#fff3c9", ink: "#a1780c", edge: "#d8b95b" },
};
