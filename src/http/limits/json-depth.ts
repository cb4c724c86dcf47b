/** How deeply a request's JSON may nest: parsing a million levels would block the event loop for 0.2 s. */
export const MOST_LEVELS = 200;

/** A text up to this length is parsed in a millisecond, however deeply it nests. */
const SHORT = 10_000;

const QUOTE = 34;
const BACKSLASH = 92;
const OPENING = new Set([91, 123]);
const CLOSING = new Set([93, 125]);

/** Whether JSON nests more deeply than a request may. Does not validate: the parser refuses texts that are not JSON. */
export function isTooDeep(json: string): boolean {
  if (json.length <= SHORT) return false;
  let level = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (OPENING.has(code)) level += 1;
    else if (CLOSING.has(code)) level -= 1;
    if (level > MOST_LEVELS) return true;
  }
  return false;
}

/** The position of the quote that ends the string which begins at `start`. */
function endOfString(json: string, start: number): number {
  let at = json.indexOf('"', start + 1);
  while (at >= 0 && isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at < 0 ? json.length : at;
}

/** Whether an odd number of backslashes precedes a position. */
function isEscaped(json: string, place: number): boolean {
  let at = place;
  while (json.charCodeAt(at - 1) === BACKSLASH) at -= 1;
  return (place - at) % 2 === 1;
}
