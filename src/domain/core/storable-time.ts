/** The times that all parts of the server write in the same way: of the years 1 to 9999, in UTC. */
const FIRST = new Date('0001-01-01T00:00:00Z');
const LAST = new Date('9999-12-31T23:59:59.999Z');

export const isStorableTime = (at: Date): boolean => at >= FIRST && at <= LAST;

export const STORABLE_TIME = 'must lie between 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z';

/** The nearest time that can be stored, if one is given. As a bound of stored times it finds the same ones. */
export function nearestStorableTime<Given extends Date | null | undefined>(
  at: Given,
): Given | Date {
  if (at == null) return at;
  if (at < FIRST) return FIRST;
  return at > LAST ? LAST : at;
}
