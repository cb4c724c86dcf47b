import { exceeds } from '../../domain/core/json-bounds.ts';

/** How deeply a request's JSON may nest: parsing a million levels would block the event loop for 0.2 s. */
export const MOST_LEVELS = 200;

/** A text up to this length is parsed in a millisecond, however deeply it nests. */
const SHORT = 10_000;

/** Whether JSON nests more deeply than a request may. */
export const isTooDeep = (json: string): boolean =>
  json.length > SHORT && exceeds(json, { levels: MOST_LEVELS });
