import type { GraphQLClient } from '../../src/cli/support/graphql-over-http.ts';
import { recallAt } from './recall-scores.ts';

/** A hit of any kind as it is printed. */
export type PrintedHit = {
  kind: string;
  text: string;
  /** What was said, word for word, in it. */
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

/** What a recall of all kinds prints, best first. @throws when it is refused */
export async function recallKinds(
  client: Pick<GraphQLClient, 'request'>,
  input: { userId: string; query: string; first: number; asOf: string },
): Promise<PrintedHit[]> {
  type Answer = { recall: { __typename: string; hits: Hit[] } };
  const { recall } = await client.request<Answer>(RECALL, { input });
  if (recall.__typename !== 'RecallPayload') throw new Error(JSON.stringify(recall));
  return recall.hits.map(({ kind, title, text, turn, turns = [], fact }) => {
    const said = turn ? [turn] : turns;
    const own = [title, text, fact?.statement, ...said.map((one) => one.text)];
    return { kind, text: own.filter((part) => part !== undefined).join(' '), turns: said };
  });
}

/** What a question has among hits of all kinds, against turns alone. */
export type KindsAnswer = {
  evidence: readonly string[];
  /** Ids and lengths of the turns found when turns alone are asked for. */
  turns: readonly { id: string; length: number }[];
  hits: readonly { kind: string; length: number; ids: readonly string[] }[];
};

/** The ids of the turns that the hits print as far as these are no longer than the first k turns. */
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

/** Evidence in as much text as the first 5 and 10 turns have, and how many hits of each kind there are. */
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
