/** Of a longer text so many characters are looked at. */
const READ = 8_000;
const CUT = '…';
/** Words that any question has. */
const COMMON = new Set(
  (
    'a an and are at be by can did do does for from had has have he her his how i in is it its me my of on ' +
    'or our she so that the their them then there they this to was we were what when where which who whom ' +
    'why will with would you your'
  ).split(' '),
);

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !COMMON.has(word));

/**
 * What of a text is worth showing beside a message: whole sentences in their order, those first that share words with it,
 * then the earlier ones; "…" stands where something is left out.
 * @param most characters
 */
export function excerpt(text: string, message: string, most: number): string {
  if (text.length <= most) return text;
  const asked = new Set(wordsOf(message));
  const sentences = text
    .slice(0, READ)
    .split(/(?<=[.!?])\s+|\n+/)
    .filter((sentence) => sentence.trim() !== '');
  const shared = sentences.map(
    (sentence) => new Set(wordsOf(sentence).filter((word) => asked.has(word))).size,
  );
  const byUse = [...sentences.keys()].sort((a, b) => (shared[b] ?? 0) - (shared[a] ?? 0) || a - b);
  const taken = new Set<number>();
  let room = most;
  for (const at of byUse) {
    const length = (sentences[at] ?? '').length + CUT.length + 1;
    if (length > room) continue;
    taken.add(at);
    room -= length;
  }
  const [best = 0] = byUse;
  if (taken.size === 0) return `${(sentences[best] ?? '').slice(0, most).trimEnd()}${CUT}`;
  return joined(sentences, taken);
}

/** Sentences that follow each other stand together. */
function joined(sentences: readonly string[], taken: ReadonlySet<number>): string {
  const parts: string[] = [];
  for (const [at, sentence] of sentences.entries()) {
    if (taken.has(at)) parts.push(sentence.trim());
    else if (parts.at(-1) !== CUT) parts.push(CUT);
  }
  return parts.join(' ');
}
