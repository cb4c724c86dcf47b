import type { GraphQLClient } from '../../src/cli/support/graphql-over-http.ts';
import { recallAt } from './recall-scores.ts';

/** A turn hit with every part of its score. */
type SweptHit = {
  id: string;
  parts: Readonly<Record<string, number>>;
  retrievability: number | null;
  bm25Rank: number | null;
  vectorRank: number | null;
};

/** A question with its hits. `group` is its conversation. */
export type SweptQuestion = {
  group: string;
  evidence: readonly string[];
  hits: readonly SweptHit[];
};

/** How many hits are scored again: as many as a recall may return. */
const SWEPT_HITS = 100;
const FACTORS = [0, 0.5, 0.75, 1, 1.25, 1.5, 2];
const FLOORS = [0.3, 0.6, 0.8, 0.9, 0.95, 1];
const RRF_K = 60;

const RECALL = `query ($input: RecallInput!) {
  recall(input: $input) {
    __typename
    ... on RecallPayload {
      hits {
        explain { parts { name value } retrievability bm25Rank vectorRank }
        ... on TurnHit { turn { speaker text occurredAt } }
      }
    }
    ... on Error { message }
  }
}`;
type Turn = { speaker: string | null; text: string; occurredAt: string };
type Hit = {
  turn: Turn;
  explain: Omit<SweptHit, 'id' | 'parts'> & { parts: { name: string; value: number }[] };
};

/** The name of a part's weight: SEGMENT_SUMMARY → segmentSummary. */
const weightOf = (part: string): string =>
  part.toLowerCase().replace(/_(\w)/g, (_, first: string) => first.toUpperCase());

/** Recalls turns, with the parts of their scores. @throws if the recall is refused */
export async function recallParts(
  client: Pick<GraphQLClient, 'request'>,
  input: { userId: string; query: string; asOf: string },
  idOf: (turn: Turn) => string,
): Promise<SweptHit[]> {
  type Answer = { recall: { __typename: string; hits: Hit[] } };
  const { recall } = await client.request<Answer>(RECALL, {
    input: { ...input, first: SWEPT_HITS, kinds: ['TURN'] },
  });
  if (recall.__typename !== 'RecallPayload') throw new Error(JSON.stringify(recall));
  return recall.hits.map(({ turn, explain: { parts, ...ranks } }) => ({
    ...ranks,
    id: idOf(turn),
    parts: Object.fromEntries(parts.map(({ name, value }) => [weightOf(name), value])),
  }));
}

type Score = (hit: SweptHit) => number;
type Pair = { at5: number; at10: number };

/** Returns the share of evidence among the first 5 and 10 hits when a score ranks them, 0-1. */
function judge(questions: readonly SweptQuestion[], score: Score): Pair {
  let at5 = 0;
  let at10 = 0;
  for (const { evidence, hits } of questions) {
    const scored = hits.map((hit) => ({ id: hit.id, score: score(hit) }));
    const ids = scored.sort((a, b) => b.score - a.score).map(({ id }) => id);
    at5 += recallAt(5, evidence, ids) / questions.length;
    at10 += recallAt(10, evidence, ids) / questions.length;
  }
  return { at5, at10 };
}

/** Factors of weights, by the name of the part; 1 for parts that are not named. */
type Factors = Readonly<Record<string, number>>;

const sumBy =
  (factors: Factors): Score =>
  ({ parts }) =>
    Object.entries(parts).reduce((sum, [name, value]) => sum + value * (factors[name] ?? 1), 0);

const unchanged = sumBy({});

const fadedTo =
  (floor: number): Score =>
  (hit) =>
    unchanged(hit) * Math.max(floor, hit.retrievability ?? 1);

/** The results of one weight at several values. Held out: for each conversation, the value that is best on all others. */
export type SweepRow = {
  name: string;
  values: (Pair & { value: number })[];
  heldOut: Pair & { chosen: number[] };
};

/** The results of all weights together. For each conversation, they are chosen on all others. */
type Together = Pair & { chosen: Factors[] };

/** Tries factors of every weight, and values of the floor of fading. Each is fitted on some conversations and judged on others. */
export function sweep(questions: readonly SweptQuestion[]): {
  rows: SweepRow[];
  now: Pair;
  rrf: Pair;
  together: Together;
} {
  const names = [...new Set(questions.flatMap(({ hits }) => Object.keys(hits[0]?.parts ?? {})))];
  const rows = [
    ...names.map((name) =>
      sweepOne(name, questions, FACTORS, (factor) => sumBy({ [name]: factor })),
    ),
    sweepOne('floor of fading', questions, FLOORS, fadedTo),
  ];
  const share = (rank: number | null) => (rank === null ? 0 : 1 / (RRF_K + rank));
  return {
    rows,
    now: judge(questions, unchanged),
    rrf: judge(questions, ({ bm25Rank, vectorRank }) => share(bm25Rank) + share(vectorRank)),
    together: fitTogether(questions, names),
  };
}

/** How often the search goes through all weights at most. */
const ROUNDS = 3;

function fitTogether(questions: readonly SweptQuestion[], names: readonly string[]): Together {
  const groups = [...new Set(questions.map(({ group }) => group))];
  const byGroup = groups.map((group) => {
    const [heldOut, others] = [true, false].map((isHeldOut) =>
      questions.filter((question) => (question.group === group) === isHeldOut),
    ) as [SweptQuestion[], SweptQuestion[]];
    const chosen = bestFactors(others, names);
    return { ...judge(heldOut, sumBy(chosen)), chosen, share: heldOut.length / questions.length };
  });
  const mean = (of: (pair: Pair) => number) =>
    byGroup.reduce((sum, one) => sum + of(one) * one.share, 0);
  return {
    at5: mean(({ at5 }) => at5),
    at10: mean(({ at10 }) => at10),
    chosen: byGroup.map(({ chosen }) => chosen),
  };
}

/** Sets one weight after another to the value that is best with the other weights, until none changes. */
function bestFactors(questions: readonly SweptQuestion[], names: readonly string[]): Factors {
  const worth = (factors: Factors) => {
    const { at5, at10 } = judge(questions, sumBy(factors));
    return at5 + at10;
  };
  let best: Factors = {};
  let most = worth(best);
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = most;
    for (const name of names) {
      for (const factor of FACTORS) {
        const factors = { ...best, [name]: factor };
        const found = worth(factors);
        if (found > most) [best, most] = [factors, found];
      }
    }
    if (most === before) break;
  }
  return best;
}

function sweepOne(
  name: string,
  questions: readonly SweptQuestion[],
  candidates: readonly number[],
  scoreBy: (value: number) => Score,
): SweepRow {
  const groups = [...new Set(questions.map(({ group }) => group))];
  const judged = candidates.map((value) => ({
    value,
    all: judge(questions, scoreBy(value)),
    byGroup: groups.map((group) =>
      judge(
        questions.filter((question) => question.group === group),
        scoreBy(value),
      ),
    ),
  }));
  const sizes = groups.map(
    (group) => questions.filter((question) => question.group === group).length,
  );
  const chosen = groups.map((_, held) => {
    const others = (pairs: readonly Pair[]) =>
      pairs.reduce(
        (sum, { at5, at10 }, at) => (at === held ? sum : sum + (at5 + at10) * (sizes[at] ?? 0)),
        0,
      );
    return judged.reduce((best, one) => (others(one.byGroup) > others(best.byGroup) ? one : best));
  });
  const heldOut = (of: (pair: Pair) => number) =>
    chosen.reduce(
      (sum, { byGroup }, held) => sum + of(byGroup[held] as Pair) * (sizes[held] ?? 0),
      0,
    ) / questions.length;
  return {
    name,
    values: judged.map(({ value, all }) => ({ value, ...all })),
    heldOut: {
      at5: heldOut(({ at5 }) => at5),
      at10: heldOut(({ at10 }) => at10),
      chosen: chosen.map(({ value }) => value),
    },
  };
}

const percent = (share: number): string => (share * 100).toFixed(1);

/** Returns the rows of a table: recall@5 / recall@10 in percent at each value, and held out. */
export function sweepTable({ rows, now, rrf, together }: ReturnType<typeof sweep>): string[][] {
  const pair = ({ at5, at10 }: Pair) => `${percent(at5)} / ${percent(at10)}`;
  return [
    ['weight', ...FACTORS.map((factor) => `× ${factor}`), 'held out', 'chosen'],
    ...rows.map(({ name, values, heldOut }) => [
      name === 'floor of fading' ? `${name} ${FLOORS.join(', ')}` : name,
      ...values.map(pair),
      ...Array<string>(FACTORS.length - values.length).fill(''),
      pair(heldOut),
      heldOut.chosen.join(' '),
    ]),
    ['unchanged, without fading', pair(now)],
    ['all weights together, held out', pair(together)],
    [`reciprocal ranks, k = ${RRF_K}`, pair(rrf)],
  ];
}
