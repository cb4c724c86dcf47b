/**
 * Robertson-Spärck Jones idf: ln(1 + (N − n + ½) / (n + ½)). It is never negative, even if n > N because the counts were
 * taken at different moments. The database function `idf` is the same.
 */
export const idf = (all: number, having: number): number =>
  Math.log(1 + Math.max(all - having + 0.5, 0.5) / (having + 0.5));
