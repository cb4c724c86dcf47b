/** What JSON may hold at most, so that parsing it does not block the event loop. */
export type JsonBounds = {
  /** How deeply it may nest. */
  levels: number;
  /** How many objects, lists and members they may have, in all. */
  values?: number;
};

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPENING = new Set([91, 123]);
const CLOSING = new Set([93, 125]);

/** Whether JSON holds more than it may. Does not validate: the parser refuses texts that are not JSON. */
export function exceeds(
  json: string,
  { levels, values = Number.POSITIVE_INFINITY }: JsonBounds,
): boolean {
  let level = 0;
  let found = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (OPENING.has(code)) level += 1;
    else if (CLOSING.has(code)) level -= 1;
    if (code === COMMA || OPENING.has(code)) found += 1;
    if (level > levels || found > values) return true;
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
