import type { GraphQLClient } from '../../src/cli/support/graphql-over-http.ts';
import { recallAt } from './recall-scores.ts';

/** A hit of any kind, with its text in the answer. */
export type PrintedHit = {
  kind: string;
  text: string;
  /** The turns that it contains, word for word. */
  turns: { speaker: string | null; text: string; occurredAt: string }[];
};

const TURN = '{ speaker text occurredAt }';
const RECALL = `query ($input: RecallInput!) {
  recall(input: $input) {
    __typename
    ... on RecallPayload {
      hits {
        kind
        ... on TurnHit { turn ${TURN} }
        ... on EpisodeHit { title text: summary turns ${TURN} }
        ... on FactHit { fact { statement } }
        ... on SemanticMemoryHit { text: summary }
        ... on SkillHit { title: name text: description }
      }
    }
    ... on Error { message }
  }
}`;
type Turn = PrintedHit['turns'][number];
type Hit = {
  kind: string;
  title?: string;
  text?: string;
  turn?: Turn;
  turns?: Turn[];
  fact?: { statement: string };
};

/** Returns the hits of a recall of all kinds, best first. @throws if the recall is refused */
export async function recallKinds(
  client: Pick<GraphQLClient, 'request'>,
  input: { userId: string; query: string; first: number; asOf: string },
): Promise<PrintedHit[]> {
  type Answer = { recall: { __typename: string; hits: Hit[] } };
  const { recall } = await client.request<Answer>(RECALL, { input });
  if (recall.__typename !== 'RecallPayload') throw new Error(JSON.stringify(recall));
  return recall.hits.map(({ kind, title, text, turn, turns = [], fact }) => {
    const hitTurns = turn ? [turn] : turns;
    const parts = [title, text, fact?.statement, ...hitTurns.map((one) => one.text)];
    return { kind, text: parts.filter((part) => part !== undefined).join(' '), turns: hitTurns };
  });
}

/** What a recall of all kinds found for a question, compared with a recall of turns only. */
export type KindsAnswer = {
  evidence: readonly string[];
  /** Ids and lengths of the turns that a recall of turns only found. */
  turns: readonly { id: string; length: number }[];
  hits: readonly { kind: string; length: number; ids: readonly string[] }[];
};

/** Returns the ids of the turns in the first hits that are together no longer than the first k turns. */
function printedWithin(k: number, { turns, hits }: KindsAnswer): string[] {
  let room = turns.slice(0, k).reduce((sum, { length }) => sum + length, 0);
  const ids: string[] = [];
  for (const hit of hits) {
    room -= hit.length;
    if (room < 0) break;
    ids.push(...hit.ids);
  }
  return ids;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the evidence found in as much text as the first 5 and 10 turns have, and the mean number of hits of each kind. */
export function scoreKinds(answers: readonly KindsAnswer[]) {
  const recall = (k: number) =>
    mean(
      answers.map((answer) => {
        const printed = printedWithin(k, answer);
        return recallAt(Math.max(1, printed.length), answer.evidence, printed);
      }),
    );
  const hitsByKind: Record<string, number> = {};
  for (const { hits } of answers)
    for (const { kind } of hits) hitsByKind[kind] = (hitsByKind[kind] ?? 0) + 1 / answers.length;
  return { 'recall@5': recall(5), 'recall@10': recall(10), hitsByKind };
}
