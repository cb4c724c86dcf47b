/** Runs of letters of scripts that are written without spaces. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{M}]+/gu;
const HAS_UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;

/** How many UTF-16 units of a run are segmented together: ICU takes more than linear time for long runs. */
const WINDOW = 256;
/** ICU reads three words ahead, so the last words of a window are segmented again with the text that follows. */
const AHEAD = 48;

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

const endsInHalf = (text: string): boolean =>
  (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;

/** Splits Thai, Lao, Khmer and Burmese into words, by ICU's dictionaries. */
function dictionaryWords(run: string): string[] {
  const words: string[] = [];
  for (let start = 0; start < run.length; ) {
    const rest = run.slice(start, start + WINDOW);
    const isLast = start + rest.length === run.length;
    const window = !isLast && endsInHalf(rest) ? rest.slice(0, -1) : rest;
    const from = start;
    for (const { segment, index } of segmenter.segment(window)) {
      if (!isLast && index > 0 && index >= WINDOW - AHEAD) break;
      words.push(segment);
      start = from + index + segment.length;
    }
  }
  return words;
}

/** Overlapping pairs of characters for Chinese and Japanese, like those of Lucene's CJKAnalyzer. */
function pairs(run: string): string[] {
  const letters = Array.from(run);
  if (letters.length < 2) return letters;
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}

/** Whether a text contains letters of a script without spaces. */
export const hasUnspaced = (text: string): boolean => HAS_UNSPACED.test(text);

/** Splits a run of letters into words: first the parts in scripts with spaces, then the rest. */
export function splitUnspaced(word: string): string[] {
  if (!hasUnspaced(word)) return [word];
  const spaced = word.replace(UNSPACED, ' ').split(' ').filter(Boolean);
  const runs = word.match(UNSPACED) ?? [];
  return [...spaced, ...runs.flatMap((run) => (CJK.test(run) ? pairs(run) : dictionaryWords(run)))];
}
