import type { GraphQLClient } from '../../src/cli/support/graphql-over-http.ts';
import { type RecalledTurn, recallTurns } from '../../src/cli/support/memory-client.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import type { Embedder, EmbedderIdentity } from '../../src/embedder/core/embedder.ts';
import { DAY } from '../../src/shared/duration.ts';
import { timed } from '../support/measure.ts';
import type { LocomoConversation, LocomoTurn } from './locomo.ts';
import { type KindsAnswer, recallKinds } from './locomo-kinds.ts';
import { recallParts, type SweptQuestion } from './locomo-sweep.ts';
import type { Answered } from './recall-scores.ts';

type Client = Pick<GraphQLClient, 'request'>;

/** How many hits each recall requests. */
export const HITS = 50;

/** Recalls with every question as a client does, by its text only. Also measures milliseconds. */
export async function askAll(server: Client, conversations: readonly LocomoConversation[]) {
  const answers: Answered[] = [];
  const recallMs: number[] = [];
  using progress = showProgress('questions', countQuestions(conversations));
  for (const { id: userId, turns, questions } of conversations) {
    const ids = new Map(turns.map((turn) => [contentOf(turn), turn.id]));
    const asOf = dayAfter(turns);
    for (const { text, category, evidence } of questions) {
      const { ms, result } = await timed(() =>
        recallTurns(server, { userId, query: text, first: HITS, asOf }),
      );
      recallMs.push(ms);
      const found = result.turns.map((turn) => ids.get(contentOf(turn)) ?? 'unknown');
      answers.push({ category, evidence, found });
      progress.add(1);
    }
  }
  return { answers, recallMs };
}

/** Recalls hits of all kinds with every question. Returns the answers in the order of the questions. */
export async function askKinds(
  server: Client,
  conversations: readonly LocomoConversation[],
  turnAnswers: readonly Answered[],
): Promise<KindsAnswer[]> {
  const found: KindsAnswer[] = [];
  using progress = showProgress('questions to all kinds', countQuestions(conversations));
  for (const { id: userId, turns, questions } of conversations) {
    const ids = new Map(turns.map((turn) => [contentOf(turn), turn.id]));
    const lengths = new Map(turns.map(({ id, text }) => [id, text.length]));
    const asOf = dayAfter(turns);
    for (const { text: query, evidence } of questions) {
      const hits = await recallKinds(server, { userId, query, first: HITS, asOf });
      const byTurns = turnAnswers[found.length]?.found ?? [];
      found.push({
        evidence,
        turns: byTurns.map((id) => ({ id, length: lengths.get(id) ?? 0 })),
        hits: hits.map(({ kind, text, turns: hitTurns }) => ({
          kind,
          length: text.length,
          ids: hitTurns
            .map((turn) => ids.get(contentOf(turn)) ?? 'unknown')
            .concat(
              kind === 'TURN' ? [] : turns.filter((t) => text.includes(t.text)).map(({ id }) => id),
            ),
        })),
      });
      progress.add(1);
    }
  }
  return found;
}

/** Recalls turns with every question, with the parts of every score. */
export async function askParts(
  server: Client,
  conversations: readonly LocomoConversation[],
): Promise<SweptQuestion[]> {
  const found: SweptQuestion[] = [];
  using progress = showProgress('questions swept', countQuestions(conversations));
  for (const { id: userId, turns, questions } of conversations) {
    const ids = new Map(turns.map((turn) => [contentOf(turn), turn.id]));
    const asOf = dayAfter(turns);
    const idOf = (turn: RecalledTurn) => ids.get(contentOf(turn)) ?? 'unknown';
    for (const { text: query, evidence } of questions) {
      const hits = await recallParts(server, { userId, query, asOf }, idOf);
      found.push({ group: userId, evidence, hits });
      progress.add(1);
    }
  }
  return found;
}

/** Recalls with every question and its vector. Returns the milliseconds, which do not include the server's embedder. */
export async function askWithVectors(
  server: Client,
  conversations: readonly LocomoConversation[],
  embedder: Embedder & EmbedderIdentity,
): Promise<number[]> {
  const searchMs: number[] = [];
  using progress = showProgress('questions with vectors', countQuestions(conversations));
  for (const { id: userId, turns, questions } of conversations) {
    const asOf = dayAfter(turns);
    const vectors = await embedder.embed(
      questions.map(({ text }) => text),
      { priority: 'batch' },
    );
    for (const [index, { text: query }] of questions.entries()) {
      const vector = { embedder: embedder.name, values: Array.from(vectors[index] ?? []) };
      const input = { userId, query, first: HITS, asOf, vector };
      searchMs.push((await timed(() => recallTurns(server, input))).ms);
      progress.add(1);
    }
  }
  return searchMs;
}

/** Counts the questions of all conversations. */
export const countQuestions = (conversations: readonly LocomoConversation[]) =>
  conversations.reduce((sum, { questions }) => sum + questions.length, 0);

/** Returns the time one day after the last turn, at which the questions are asked. */
export const dayAfter = (turns: readonly LocomoTurn[]): string =>
  new Date(Math.max(...turns.map((turn) => Date.parse(turn.occurredAt))) + DAY).toISOString();

/** Returns what identifies a turn within a conversation: the API does not know the ids of LoCoMo. */
const contentOf = ({ speaker, occurredAt, text }: RecalledTurn): string =>
  JSON.stringify([speaker, Date.parse(occurredAt), text.trim()]);
