import { formatPrismaCursor, parsePrismaCursor } from '@pothos/plugin-prisma';
import { InvalidInput } from '../../domain/core/errors.ts';
import type { Viewer } from '../../domain/core/viewer.ts';

/** The largest and the default number of rows of a page. */
export const MAX_PAGE = 100;
export const DEFAULT_PAGE = 20;

const MAX_INT = 2 ** 31 - 1;

type PageArguments = { first?: unknown; last?: unknown; after?: unknown; before?: unknown };

/** Arguments that exclude each other, and what to do instead. */
const CONFLICTS = [
  ['last', 'first', 'ask for the first or for the last entries'],
  ['after', 'last', 'ask for the next page with "first"'],
  ['after', 'before', 'ask for the next or for the previous page'],
  ['before', 'first', 'ask for the previous page with "last"'],
] as const;

/**
 * Returns how many rows a page of a connection requests.
 * @throws InvalidInput if the page is too large, which the plugin would silently cut, if both ends or both directions are
 *   requested, or if a cursor is malformed or another user's, for which the plugin would return an empty page
 */
export function pageSize(field: string, page: PageArguments, viewer: Viewer): number {
  const refuse = (argument: string, message: string) => {
    throw new InvalidInput([{ path: `${field}.${argument}`, message }]);
  };
  for (const argument of ['after', 'before'] as const) {
    const cursor = page[argument];
    if (typeof cursor === 'string' && !isOwnCursor(cursor, viewer)) {
      refuse(argument, 'is not a cursor of this list; use the `cursor` of one of its edges');
    }
  }
  for (const [argument, other, advice] of CONFLICTS) {
    if (page[argument] != null && page[other] != null) {
      refuse(argument, `cannot be combined with "${other}": ${advice}`);
    }
  }
  const requested = page.first ?? page.last;
  const size = typeof requested === 'number' ? requested : DEFAULT_PAGE;
  if (size < 0 || size > MAX_PAGE) {
    if (page.first == null) {
      refuse('last', `must be 0-${MAX_PAGE}; ask for the previous page with "before"`);
    }
    refuse('first', `must be 0-${MAX_PAGE}; ask for the next page with "after"`);
  }
  return size;
}

/** The cursor of an entry of a list that is in the order of names. */
export const nameCursor = (name: string): string =>
  formatPrismaCursor({ by: 'name', name }, ['by', 'name']);

/** The name in such a cursor. */
export const nameInCursor = (cursor: string): string => String([keyOf(cursor)].flat()[1]);

/** A cursor is the key of a row: the user, then strings and numbers that the database can hold. */
function isOwnCursor(cursor: string, viewer: Viewer): boolean {
  const key = keyOf(cursor);
  if (!Array.isArray(key) || key.length < 2) return false;
  if (viewer.kind !== 'key' && key[0] !== viewer.userId) return false;
  return key.every((part) =>
    typeof part === 'string'
      ? !/\p{Cc}/u.test(part)
      : Number.isInteger(part) && part >= 0 && part <= MAX_INT,
  );
}

function keyOf(cursor: string): unknown {
  try {
    return parsePrismaCursor(cursor);
  } catch {
    return null;
  }
}
