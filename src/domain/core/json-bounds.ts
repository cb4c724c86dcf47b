/** What JSON may hold at most, so that parsing it does not block the event loop. */
export type JsonBounds = {
  /** How deeply it may nest. */
  levels: number;
  /** How many objects, lists and members they may have, in all. */
  values?: number;
};

const QUOTE = 34;
const BACKSLASH = 92;
/** What each mark of JSON does: a table, since a line may have millions of other characters outside strings. */
const [LEVEL, COUNT] = [new Int8Array(128), new Int8Array(128)];
for (const mark of '[{') LEVEL[mark.charCodeAt(0)] = 1;
for (const mark of ']}') LEVEL[mark.charCodeAt(0)] = -1;
for (const mark of '[{,') COUNT[mark.charCodeAt(0)] = 1;

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
    else if (code < 128) {
      level += LEVEL[code] as number;
      found += COUNT[code] as number;
    }
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
