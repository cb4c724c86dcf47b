import { parsePrismaCursor } from '@pothos/plugin-prisma';
import { InvalidInput } from '../../domain/core/errors.ts';
import type { Viewer } from '../../domain/core/viewer.ts';

/** Most and usual rows of a page. */
export const MAX_PAGE = 100;
export const DEFAULT_PAGE = 20;

const MAX_INT = 2 ** 31 - 1;

type PageArguments = { first?: unknown; last?: unknown; after?: unknown; before?: unknown };

/**
 * How many rows a page of a connection asks for.
 * @throws InvalidInput when it is too large, which the plugin would cut in silence, or when a
 *   cursor is odd or another user's, for which the plugin would show an empty page
 */
export function pageSize(field: string, page: PageArguments, viewer: Viewer): number {
  const refuse = (argument: string, message: string) => {
    throw new InvalidInput([{ path: `${field}.${argument}`, message }]);
  };
  for (const argument of ['after', 'before'] as const) {
    const cursor = page[argument];
    if (typeof cursor === 'string' && !isOwnCursor(cursor, viewer)) {
      refuse(argument, 'is not a cursor of this list; take one of its edges');
    }
  }
  const asked = page.first ?? page.last;
  const size = typeof asked === 'number' ? asked : DEFAULT_PAGE;
  if (size < 0 || size > MAX_PAGE) {
    const argument = page.first == null ? 'last' : 'first';
    refuse(argument, `must be 0-${MAX_PAGE}; ask for the next page with "after"`);
  }
  return size;
}

/** A cursor is the key of a row: its user, then strings and numbers that the database can hold. */
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
