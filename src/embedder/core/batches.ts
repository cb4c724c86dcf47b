/** Splits texts, in order, into parts of at most `most` texts and `characters` characters. Each part has at least one text. */
export function batchesOf(texts: readonly string[], most: number, characters: number): string[][] {
  const parts: string[][] = [];
  let room = 0;
  for (const text of texts) {
    const part = parts.at(-1);
    if (part && part.length < most && text.length <= room) {
      part.push(text);
      room -= text.length;
    } else {
      parts.push([text]);
      room = characters - text.length;
    }
  }
  return parts;
}
