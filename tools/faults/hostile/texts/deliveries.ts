import { turnInputSchema } from '../../../../src/domain/turns/turn.ts';
import { pickOne, seededRandom } from '../../../support/random.ts';
import { operation } from '../call.ts';
import { ODD_NAMES } from './odd-names.ts';
import { hostileText, LONGEST, TEXT_KINDS } from './texts.ts';

/** A turn that must be read back word for word. */
export type SentTurn = {
  role: string;
  speaker: string | null;
  text: string;
  toolCalls: { name: string; ok: boolean; result: string | null }[];
};

/** A request with hostile texts, and its expected result. */
export type Delivery = {
  kind: string;
  body: string;
  /** "stored" and acknowledged, "refused" by a clear error, or "answered" in either way. */
  expect: 'stored' | 'refused' | 'answered';
  sent: SentTurn[];
};

type Random = () => number;
type Input = Partial<SentTurn> & { text: string; idempotencyKey?: string };

const REMEMBER = `mutation ($input: RememberInput!) {
  remember(input: $input) { __typename ... on RememberPayload { turns { status } } ... on Error { message } }
}`;
const IMPORT = `mutation ($input: ImportConversationInput!) {
  importConversation(input: $input) { __typename ... on ImportPayload { stored alreadyStored } ... on Error { message } }
}`;
const RECALL = `query ($input: RecallInput!) {
  recall(input: $input) { __typename ... on RecallPayload { hits { score } } ... on Error { message } }
}`;
const CONTEXT = `query ($input: ContextInput!) {
  context(input: $input) { __typename ... on ContextPayload { tokens } ... on Error { message } }
}`;
const ROLES = ['USER', 'USER', 'ASSISTANT', 'TOOL', 'OTHER', 'SYSTEM'];
const MANY = 20;
/** The maximum length of a name, title or key. */
const NAME = 100;
const QUESTION = 10_000;
/** How many bytes of texts a body of 4,000,000 bytes holds. */
const LARGE = 3_800_000;
const TURNS = 500;
const FAR_TOO_LONG = 1_000_001;

const remembered = (kind: string, turns: Input[], more: object = {}): Delivery => ({
  kind,
  body: operation(REMEMBER, { input: { channel: 'sms', turns, ...more } }),
  expect: 'stored',
  sent: turns.map(({ role = 'USER', speaker = null, text, toolCalls = [] }) => ({
    role,
    speaker,
    text,
    toolCalls,
  })),
});

/** Texts of a kind as turns: the longest, a short one, many at once, then at random. */
function ofTexts(random: Random, kind: string, index: number): Delivery {
  const one = (length?: number): Input => ({
    text: hostileText(random, kind, length),
    role: pickOne(random, ROLES),
  });
  if (index === 0) return remembered(kind, [{ ...one(LONGEST), role: 'USER' }]);
  if (index === 1) return remembered(kind, [{ ...one(280), role: 'USER' }]);
  if (index % 5 !== 2) return remembered(kind, [one()]);
  return remembered(
    kind,
    Array.from({ length: MANY }, () => one(200 + Math.floor(random() * 1_800))),
  );
}

/** Texts as names, titles, keys and tool results. */
function asNames(random: Random, kind: string, index: number): Delivery {
  const name = (most = NAME) =>
    random() < 0.5 ? pickOne(random, ODD_NAMES) : hostileText(random, anyKind(random), most);
  const turns = Array.from(
    { length: 1 + (index % 20) },
    (_, place): Input => ({
      text: `${pickOne(random, ODD_NAMES)} is what I call my dog, who is ${place} years old.`,
      role: pickOne(random, ROLES),
      speaker: name(),
      idempotencyKey: `${index}.${place}.${name(150)}`.slice(0, 150).toWellFormed(),
      toolCalls: [{ name: name(), ok: true, result: hostileText(random, anyKind(random)) }],
    }),
  );
  return remembered(kind, turns, { newThread: { title: name(200) } });
}

/** Texts as questions and messages. */
function asQuestions(random: Random, kind: string, index: number): Delivery {
  const text = hostileText(random, anyKind(random), index % 2 === 0 ? QUESTION : undefined);
  const question = text.slice(0, QUESTION).toWellFormed();
  const body =
    index % 3 === 2
      ? operation(CONTEXT, { input: { message: question } })
      : operation(RECALL, { input: { query: question } });
  return { kind, body, expect: 'answered', sent: [] };
}

function asImports(random: Random, kind: string, index: number): Delivery {
  const start = Date.UTC(2025, 0, 1 + (index % 300));
  const turns = Array.from({ length: 200 }, (_, place) => ({
    speaker: place % 2 === 0 ? 'Ada' : 'Bob',
    text: hostileText(random, anyKind(random), 200 + Math.floor(random() * 2_000)),
    occurredAt: new Date(start + place * 20_000).toISOString(),
  }));
  return {
    kind,
    body: operation(IMPORT, { input: { self: 'Ada', turns } }),
    expect: 'stored',
    sent: turns.map(({ speaker, text }) => ({
      role: speaker === 'Ada' ? 'USER' : 'OTHER',
      speaker,
      text,
      toolCalls: [],
    })),
  };
}

/** A body of the maximum size: turns with the longest text, or as many turns as a call may have. */
function asLarge(random: Random, kind: string, index: number): Delivery {
  const own = ['thai', 'rule-words', 'khmer', 'arabic', 'han', 'mixed', 'emoji', 'corrections'];
  const texts = own[index % own.length] as string;
  const length = index % 4 === 1 ? Math.floor(LARGE / TURNS) : LONGEST;
  const turns: Input[] = [];
  for (let bytes = 0; turns.length < TURNS; ) {
    const text = hostileText(random, texts, length);
    bytes += Buffer.byteLength(JSON.stringify(text));
    if (bytes > LARGE) break;
    turns.push({ text, role: 'USER' });
  }
  return remembered(kind, turns);
}

/** Turns that are longer than what the rules read, or than the limit: they must be stored or refused accordingly. */
function asTooLong(random: Random, kind: string, index: number): Delivery {
  const length = index % 4 === 3 ? FAR_TOO_LONG : LONGEST + 1 + Math.floor(random() * LONGEST);
  const text = hostileText(random, anyKind(random), length).padEnd(LONGEST + 1, 'x');
  const delivery = remembered(kind, [{ text }]);
  const isTaken = turnInputSchema.safeParse({ text }).success;
  return isTaken ? delivery : { ...delivery, expect: 'refused', sent: [] };
}

const anyKind = (random: Random) => pickOne(random, TEXT_KINDS);

const ways: Record<string, (random: Random, kind: string, index: number) => Delivery> = {
  ...Object.fromEntries(TEXT_KINDS.map((kind) => [kind, ofTexts])),
  'as-names': asNames,
  'as-questions': asQuestions,
  'as-imports': asImports,
  'large-calls': asLarge,
  'too-long': asTooLong,
};

/** The kinds of deliveries. */
export const DELIVERY_KINDS: readonly string[] = Object.keys(ways);

/** Plans the requests of a kind, the same for the same seed. @param count the number over all kinds */
export function planDeliveries(seed: number, count: number, kind: string): Delivery[] {
  const place = DELIVERY_KINDS.indexOf(kind);
  const make = ways[kind];
  if (!make) throw new Error(`There are no hostile texts of the kind ${kind}.`);
  const random = seededRandom(seed + place * 1_000_003);
  const each = Math.floor(count / DELIVERY_KINDS.length);
  const own = each + (place < count % DELIVERY_KINDS.length ? 1 : 0);
  return Array.from({ length: own }, (_, index) => make(random, kind, index));
}
