import { agrees, type Token, thirdPerson } from './tokens.ts';

/** Who speaks and, if it is one person, to whom: names as they stand inside a sentence. */
export type Talkers = {
  speaker: string;
  other: string | null;
  /** The speaker is a user with an assistant: commands are requests. */
  asks: boolean;
};

/** What has been said of each person so far, while a sentence is turned word by word. */
type Turning = {
  talkers: Talkers;
  /** The speaker, or the other, was named in this sentence: from then on "they". */
  named: { speaker: boolean; other: boolean };
  /** The sentence speaks of both, so that "they" would be unclear for the other. */
  both: boolean;
  /** Whom "their" would be taken for. */
  last: 'speaker' | 'other' | null;
  /** The next agreeing verb follows a singular subject. */
  pending: boolean;
  /** The last subject was singular, and its verb in the present: verbs joined by "and" agree too. */
  joined: boolean;
  /** "Anna and …": the subject at this place keeps its plural. */
  compound: boolean;
};

const isCompound = (before: readonly Token[]) =>
  before.length >= 2 &&
  before.at(-1)?.lower === 'and' &&
  !before.some(({ tags }) => tags.has('Verb'));

const possessive = (name: string) => (name.endsWith('s') ? `${name}'` : `${name}'s`);

const BETWEEN = new Set([
  'also',
  'always',
  'never',
  'still',
  'just',
  'really',
  'often',
  'usually',
  'already',
  'only',
  'even',
  'currently',
  'recently',
  'actually',
  'sometimes',
  'definitely',
  'finally',
  'now',
  'probably',
  'totally',
  'absolutely',
  'almost',
  'both',
  'mostly',
  'ever',
  'too',
]);

/**
 * First and second person become names, then "they"; the verbs follow. `speakerNamed`: the speaker
 * was named before these words, as in "Maya asked where …".
 */
export function toThirdPerson(
  tokens: readonly Token[],
  talkers: Talkers,
  speakerNamed = false,
): Token[] {
  const lower = new Set(tokens.map((token) => token.lower));
  const first = ['i', 'my', 'me', 'mine', 'myself'].some((word) => lower.has(word));
  const second = ['you', 'your', 'yours', 'yourself'].some((word) => lower.has(word));
  const state: Turning = {
    talkers,
    named: { speaker: speakerNamed, other: false },
    both: first && second,
    last: null,
    pending: false,
    joined: false,
    compound: false,
  };
  return tokens.map((token, place) => {
    state.compound = isCompound(tokens.slice(0, place));
    return turned(token, tokens[place - 1], tokens[place + 1], state);
  });
}

function turned(
  token: Token,
  before: Token | undefined,
  next: Token | undefined,
  state: Turning,
): Token {
  // Not `PRONOUNS[…]` alone: "constructor" is a word as well.
  const pronoun = Object.hasOwn(PRONOUNS, token.lower) ? PRONOUNS[token.lower] : undefined;
  if (pronoun !== undefined) {
    const text = pronoun(state, before, next);
    return { ...token, text, lower: text.toLowerCase() };
  }
  return agreed(token, before, state);
}

/** "I was" and "I am" behind "they". */
const PLURAL = new Map([
  ['was', 'were'],
  ['am', 'are'],
]);

function agreed(token: Token, before: Token | undefined, state: Turning): Token {
  if (state.pending) {
    if (BETWEEN.has(token.lower) || token.tags.has('Adverb')) return token;
    state.pending = false;
    return firstVerb(token, before, state);
  }
  const plural = before?.lower === 'i' && state.named.speaker ? PLURAL.get(token.lower) : undefined;
  if (plural !== undefined) return withText(token, plural);
  if (token.lower === 'to' || token.tags.has('Modal')) state.joined = false;
  const follows = /^(?:and|but|or)$/.test(before?.lower ?? '');
  const joins =
    state.joined &&
    follows &&
    agrees(token) &&
    (!token.tags.has('Noun') || /^(?:hate|love|need|want|work|live)$/.test(token.lower));
  return joins ? withText(token, thirdPerson(token.lower)) : token;
}

function firstVerb(token: Token, before: Token | undefined, state: Turning): Token {
  // "I play": some verbs are tagged as nouns.
  const mistaken =
    before?.lower === 'i' && token.tags.has('Noun') && /^[a-z]{3,}(?<!ed|ing|s)$/.test(token.lower);
  const agreeing = agrees(token) || mistaken;
  state.joined = agreeing && !/^(?:am|are|were|do|don't)$/.test(token.lower);
  return agreeing ? withText(token, thirdPerson(token.lower)) : token;
}

const withText = (token: Token, text: string): Token => ({
  ...token,
  text,
  lower: text.toLowerCase(),
});

type Pronoun = (state: Turning, before: Token | undefined, next: Token | undefined) => string;

function nameOr(state: Turning, who: 'speaker' | 'other', later: string): string {
  const name = state.talkers[who] ?? 'others';
  const named = state.named[who];
  state.named[who] = true;
  return named && !(who === 'other' && state.both) ? later : name;
}

function subject(state: Turning, who: 'speaker' | 'other'): string {
  const singular =
    (!state.named[who] || (who === 'other' && state.both)) &&
    (who === 'speaker' || state.talkers.other !== null);
  state.pending = singular && !state.compound;
  state.joined = false;
  state.last = who;
  return nameOr(state, who, 'they');
}

function owner(state: Turning, who: 'speaker' | 'other'): string {
  if (who === 'other' && state.named.other && state.last === 'other') return 'their';
  const name = nameOr(state, who, 'their');
  return name === 'their' ? name : possessive(name);
}

/** "helping you express" has an object, "I know you like" a subject. */
const STATING =
  /^(?:know|knew|think|thought|hope|say|said|see|saw|bet|guess|wish|feel|heard|hear|mean|remember|believe|asked|wonder|if|did|do|does|are|were|is|was|can|could|will|would|should|have|had)$/;

const isSubject = (before: Token | undefined, next: Token | undefined) =>
  next !== undefined &&
  (before === undefined || !before.tags.has('Verb') || STATING.test(before.lower)) &&
  (agrees(next) || next.tags.has('Verb') || next.tags.has('Adverb') || BETWEEN.has(next.lower));

const PRONOUNS: Record<string, Pronoun> = {
  i: (state) => subject(state, 'speaker'),
  me: (state) => nameOr(state, 'speaker', 'them'),
  my: (state) => owner(state, 'speaker'),
  mine: (state) =>
    nameOr(state, 'speaker', 'theirs') === 'theirs' ? 'theirs' : possessive(state.talkers.speaker),
  myself: () => 'themselves',
  we: () => 'they',
  us: () => 'them',
  our: () => 'their',
  ours: () => 'theirs',
  ourselves: () => 'themselves',
  you: (state, before, next) =>
    isSubject(before, next) ? subject(state, 'other') : nameOr(state, 'other', 'them'),
  your: (state) => owner(state, 'other'),
  yours: (state) => (state.talkers.other === null ? 'theirs' : possessive(state.talkers.other)),
  yourself: () => 'themselves',
};
