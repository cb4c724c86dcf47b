import { newStemmer } from 'snowball-stemmers';
import { LEMMAS, STOPWORDS } from '../en/words/english.ts';
import { cut } from './cut.ts';
import { normalized } from './normalize.ts';
import { hasUnspaced, splitUnspaced } from './unspaced.ts';

/** The maximum length of a term, in UTF-16 units: far below the limit of a B-tree key (2,704 bytes). */
const MAX_TERM_LENGTH = 64;
/** Longer words are cut without stemming, since their suffix is cut off anyway. */
const LONGEST_STEMMED = 128;
const MAX_QUERY_TERMS = 64;
const STEM_CACHE_SIZE = 50_000;

const WORD = /[\p{L}\p{N}\p{M}]+(?:'\p{L}+)*/gu;
const ASCII = /^[\x20-\x7e\s]*$/;
const CONTRACTION = /(?:n't|'(?:s|ll|re|ve|d|m))$/;
const stemmer = newStemmer('english');
const stems = new Map<string, string>();

/** Folds compatibility forms, case and accents ("Café" = "cafe", full-width = ASCII). */
function fold(text: string): string {
  const straight = text.replaceAll('’', "'").toLowerCase();
  if (ASCII.test(straight)) return straight;
  return normalized(normalized(straight, 'NFKD').replace(/[\u0300-\u036f]/g, ''), 'NFC');
}

/** The stem of a word: the table of irregular forms, then Porter2. Cached, since stemming takes about 5 µs. */
function stem(word: string): string {
  if (word.length > LONGEST_STEMMED) return cut(word, MAX_TERM_LENGTH);
  const cached = stems.get(word);
  if (cached !== undefined) return cached;
  const result = cut(stemmer.stem(LEMMAS.get(word) ?? word), MAX_TERM_LENGTH);
  if (stems.size >= STEM_CACHE_SIZE) stems.clear();
  stems.set(word, result);
  return result;
}

function wordsOf(text: string): string[] {
  const found = fold(text).match(WORD) ?? [];
  return found.some(hasUnspaced) ? found.flatMap(splitUnspaced) : found;
}

/**
 * The keyword terms of a text and how often each occurs. Words are folded and stemmed (irregular forms, Porter2), and
 * English function words are dropped. Numbers are terms. Text in scripts without spaces becomes overlapping pairs of
 * characters or dictionary words.
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

/** The distinct terms of some texts. */
export const distinctTerms = (texts: readonly string[]): Set<string> =>
  new Set(texts.flatMap((text) => [...termsOf(text).keys()]));

/** How many characters of a text are counted. */
const COUNTED = 10_000;

/** The number of words in a text, including function words: BM25 normalises by it. For a long text it is estimated from the beginning. */
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
 * For each distinct word of a query, at most 64, the forms that a text may contain, separated by spaces: as written,
 * without accents, and the irregular forms ("went" → "went go gone"). For an index that only stems suffixes.
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

/** The distinct terms of a query in order of appearance, at most 64. They are made like the terms of turns. */
export function queryTermsOf(query: string): string[] {
  return [...termsOf(query).keys()].slice(0, MAX_QUERY_TERMS);
}
