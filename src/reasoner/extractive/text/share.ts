/**
 * The limit for each of several needs so that they keep within a total: those that need less leave the rest to the
 * others. Infinite if all needs can be met.
 */
export function shareOf(total: number, needs: readonly number[]): number {
  let left = total;
  const ascending = [...needs].sort((a, b) => a - b);
  for (const [index, need] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (need > share) return share;
    left -= need;
  }
  return Number.POSITIVE_INFINITY;
}
