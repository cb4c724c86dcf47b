import { createRequire } from 'node:module';
import type Compromise from 'compromise/two';

type Words = ReadonlySet<string>;

/** A rule of compromise's tagger. It applies to a sentence with the words and tags `needs` and `wants` and without `ifNo`. */
type TagRule = {
  match: string;
  needs: readonly string[];
  wants: readonly string[];
  minWant: number;
  minWords: number;
  ifNo?: readonly string[];
};

/** The rules by a word or tag that they need, and those that need none. */
type TagRules = { hooks: Record<string, TagRule[]>; always: TagRule[] };
type Found = { ptrs: number[][] };
type Options = { matchOne?: boolean };

type Methods = {
  one: {
    cacheDoc(document: readonly unknown[]): Words[];
    match(document: readonly unknown[], rule: TagRule): Found;
  };
};

/** A rule and the number of its expression. Of rules with the same expression the first one counts. */
type Hooked = { rule: TagRule; expression: number };

/** The rules by word or tag. `at`: the place of each word, since matches are applied in that order. `seen`: see `rulesFor`. */
type Hooks = { at: ReadonlyMap<string, number>; rules: readonly Hooked[][]; seen: Uint32Array };

const prepared = new WeakMap<TagRules, Hooks>();

function hooksOf(net: TagRules): Hooks {
  const cached = prepared.get(net);
  if (cached) return cached;
  const numbers = new Map<string, number>();
  const numberOf = (match: string): number => {
    if (!numbers.has(match)) numbers.set(match, numbers.size);
    return numbers.get(match) as number;
  };
  const words = Object.keys(net.hooks);
  const rules = words.map((word) =>
    (net.hooks[word] ?? []).map((rule) => ({ rule, expression: numberOf(rule.match) })),
  );
  const at = new Map(words.map((word, place) => [word, place]));
  const hooks = { at, rules, seen: new Uint32Array(numbers.size) };
  prepared.set(net, hooks);
  return hooks;
}

function applies({ needs, wants, minWant, ifNo = [] }: TagRule, words: Words): boolean {
  for (const need of needs) if (!words.has(need)) return false;
  for (const no of ifNo) if (words.has(no)) return false;
  if (wants.length === 0) return true;
  let wanted = 0;
  for (const want of wants) if (words.has(want)) wanted += 1;
  return wanted >= minWant;
}

/** The number of the current sentence. `seen` holds for each expression the last sentence in which it was tried. */
let sentence = 0;

/** The rules that may apply to a sentence with these words and tags, in order. */
function rulesFor(words: Words, net: TagRules, { at, rules, seen }: Hooks): TagRule[] {
  const places: number[] = [];
  for (const word of words) {
    const place = at.get(word);
    if (place !== undefined) places.push(place);
  }
  places.sort((a, b) => a - b);
  sentence = (sentence + 1) >>> 0;
  const found: TagRule[] = [];
  for (const place of places) {
    for (const { rule, expression } of rules[place] ?? []) {
      if (seen[expression] === sentence) continue;
      seen[expression] = sentence;
      if (applies(rule, words)) found.push(rule);
    }
  }
  for (const rule of net.always) found.push(rule);
  return found;
}

/**
 * Replaces compromise's function with the same results in the same order. The original goes through all thousand hooks for
 * each sentence, this one only through the words of the sentence.
 */
function bulkMatch(
  document: readonly (readonly unknown[])[],
  net: TagRules,
  { one }: Methods,
  { matchOne }: Options = {},
): object[] {
  const hooks = hooksOf(net);
  const words = one.cacheDoc(document);
  const results: object[] = [];
  for (const [n, terms] of document.entries()) {
    for (const rule of rulesFor(words[n] as Words, net, hooks)) {
      if (terms.length < rule.minWords) continue;
      for (const pointer of one.match([terms], rule).ptrs) {
        pointer[0] = n;
        results.push({ ...rule, pointer });
        if (matchOne) return results;
      }
    }
  }
  return results;
}

let tagger: typeof Compromise | null = null;

/** Loads compromise when it is first needed: its tables take most of the time in which a language thread starts. */
function load(): typeof Compromise {
  const compromise: typeof Compromise = createRequire(import.meta.url)('compromise/two');
  compromise.plugin({ methods: { one: { bulkMatch } } });
  return compromise;
}

/** Reads a text with compromise: words with part-of-speech tags only. */
export function nlp(text: string): ReturnType<typeof Compromise> {
  tagger ??= load();
  return tagger(text);
}
