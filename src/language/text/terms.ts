import { newStemmer } from 'snowball-stemmers';
import { LEMMAS, STOPWORDS } from '../en/words/english.ts';
import { normalized } from './normalize.ts';
import { hasUnspaced, splitUnspaced } from './unspaced.ts';

/** Longest term kept, UTF-16 units: far below what a B-tree key may hold (2,704 bytes). */
const MAX_TERM_LENGTH = 64;
/** Suffixes are undone far behind what is kept of a longer word. */
const LONGEST_STEMMED = 128;
const MAX_QUERY_TERMS = 64;
const STEM_CACHE_SIZE = 50_000;

const WORD = /[\p{L}\p{N}\p{M}]+(?:'\p{L}+)*/gu;
const ASCII = /^[\x20-\x7e\s]*$/;
const CONTRACTION = /(?:n't|'(?:s|ll|re|ve|d|m))$/;
const stemmer = newStemmer('english');
const stems = new Map<string, string>();

/** Compatibility forms, case and accents folded ("Café" = "cafe", full-width = ASCII). */
function fold(text: string): string {
  const straight = text.replaceAll('’', "'").toLowerCase();
  if (ASCII.test(straight)) return straight;
  return normalized(normalized(straight, 'NFKD').replace(/[\u0300-\u036f]/g, ''), 'NFC');
}

/** Porter2 after the table of irregular forms; remembered, since a stem costs about 5 µs. */
function stem(word: string): string {
  if (word.length > LONGEST_STEMMED) return word.slice(0, MAX_TERM_LENGTH);
  const known = stems.get(word);
  if (known !== undefined) return known;
  const result = stemmer.stem(LEMMAS.get(word) ?? word).slice(0, MAX_TERM_LENGTH);
  if (stems.size >= STEM_CACHE_SIZE) stems.clear();
  stems.set(word, result);
  return result;
}

function wordsOf(text: string): string[] {
  const found = fold(text).match(WORD) ?? [];
  return found.some(hasUnspaced) ? found.flatMap(splitUnspaced) : found;
}

/**
 * The keyword terms of a text and how often each occurs: words folded, English function words
 * dropped, irregular forms and suffixes undone (Porter2). Digits are terms. Text in scripts
 * without spaces becomes overlapping pairs of characters or dictionary words.
 */
export function termsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) {
    if (STOPWORDS.has(word)) continue;
    const bare = word.replace(CONTRACTION, '');
    if (bare === '' || STOPWORDS.has(bare)) continue;
    const term = stem(bare);
    counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}

/** So many characters are counted. */
const COUNTED = 10_000;

/** Words of a text, function words included: the length that BM25 normalises by. Of a long text by its beginning. */
export function wordCount(text: string): number {
  const counted = wordsOf(text.slice(0, COUNTED)).length;
  return text.length <= COUNTED ? counted : Math.round((counted * text.length) / COUNTED);
}

const FORMS_OF: ReadonlyMap<string, readonly string[]> = (() => {
  const forms = new Map<string, string[]>();
  for (const [form, lemma] of LEMMAS) forms.set(lemma, [...(forms.get(lemma) ?? [lemma]), form]);
  return forms;
})();

/**
 * Of each distinct word of a query the forms in which a text may hold it, separated by blanks: as written, without
 * accents, and the irregular ones ("went" → "went go gone"). For an index that undoes suffixes but no more; at most 64.
 */
export function queryFormsOf(query: string): string[] {
  const found = new Map<string, Set<string>>();
  const written = normalized(query.replaceAll('’', "'").toLowerCase(), 'NFC');
  for (const [word] of written.matchAll(WORD)) {
    const bare = word.replace(CONTRACTION, '');
    const folded = fold(bare);
    if (bare === '' || STOPWORDS.has(fold(word)) || STOPWORDS.has(folded)) continue;
    const term = stem(folded);
    const forms = found.get(term) ?? new Set();
    for (const form of [bare, folded, ...(FORMS_OF.get(LEMMAS.get(folded) ?? folded) ?? [])])
      forms.add(form);
    found.set(term, forms);
  }
  return [...found.values()].slice(0, MAX_QUERY_TERMS).map((forms) => [...forms].join(' '));
}

/** Distinct terms of a query in order of appearance, at most 64, made as those of the turns. */
export function queryTermsOf(query: string): string[] {
  return [...termsOf(query).keys()].slice(0, MAX_QUERY_TERMS);
}
