/** The longest text of a turn, in characters: what is beyond is neither searched nor read. */
const MAX_TEXT = 100_000;

/** Removes what a turn cannot store: NUL characters and unpaired surrogates. */
export const clean = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

/** Splits a text into texts that a turn can store. Returns none if it is blank. */
export function splitText(text: string): string[] {
  const texts: string[] = [];
  for (let rest = clean(text); rest.trim() !== ''; ) {
    const cut = rest.slice(0, MAX_TEXT);
    // Does not cut a surrogate pair in two.
    const part = cut.isWellFormed() ? cut : cut.slice(0, -1);
    texts.push(part);
    rest = rest.slice(part.length);
  }
  return texts.filter((part) => part.trim() !== '');
}
