/**
 * Robertson-Spärck Jones idf: ln(1 + (N − n + ½) / (n + ½)), never negative, though counts that are taken at different
 * moments may say that more have a term than there are. The function `idf` of the database is the same.
 */
export const idf = (all: number, having: number): number =>
  Math.log(1 + Math.max(all - having + 0.5, 0.5) / (having + 0.5));
