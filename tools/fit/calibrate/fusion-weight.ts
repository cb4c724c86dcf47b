import { type App, createApp, type Overrides } from '../../../src/app.ts';
import { showProgress } from '../../../src/cli/support/progress.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { RANKING_WEIGHTS, rank, readQuery } from '../../../src/domain/ranking/ranking.ts';
import type { Embedder } from '../../../src/embedder/core/embedder.ts';
import { queryVector } from '../../../src/recall/query-vector.ts';
import { readQuestion } from '../../../src/recall/read-question.ts';
import { importConversation } from '../../../src/remember/turns/import-conversation.ts';
import { indexTurns } from '../../../src/remember/turns/index-turns.ts';
import { embedTurns } from '../../../src/remember/vectors/embed-turns.ts';
import type { LocomoConversation } from '../../eval/locomo.ts';
import { recallAt } from '../../eval/recall-scores.ts';

/** A weight of vectors and its score, 0-1: the mean of recall@5 and recall@10 over all questions. */
export type WeightScore = { weight: number; score: number };

const WEIGHTS = [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
const PATIENCE = 60_000;

/**
 * Scores weights of semantic similarity relative to keywords: how much of the questions' evidence recall finds with each. It
 * uses an embedded database in memory.
 * @param parts of the server that asks which are open already
 */
export async function scoreWeights(
  embedder: Embedder,
  conversations: readonly LocomoConversation[],
  parts: Overrides = {},
): Promise<WeightScore[]> {
  const config = loadConfig({ DATA_DIR: 'memory', LOG_LEVEL: 'warn', EMBEDDER: 'none' });
  const patient = {
    ...config,
    debounce: {},
    recall: { ...config.recall, vectorDeadline: PATIENCE },
  };
  await using ctx = await createApp(patient, { ...parts, embedder });
  const sums = WEIGHTS.map(() => 0);
  let questions = 0;
  using done = showProgress('conversations asked', conversations.length);
  for (const conversation of conversations) {
    await ingest(ctx, conversation);
    for (const { text, evidence } of conversation.questions) {
      const found = await findAll(ctx, conversation, text);
      found.forEach((ids, index) => {
        const score = (recallAt(5, evidence, ids) + recallAt(10, evidence, ids)) / 2;
        sums[index] = (sums[index] ?? 0) + score;
      });
      questions += 1;
    }
    done.add(1);
  }
  return WEIGHTS.map((weight, index) => ({ weight, score: (sums[index] ?? 0) / questions }));
}

async function ingest(ctx: App, { id, self, turns }: LocomoConversation): Promise<void> {
  const past = turns.map(({ speaker, text, occurredAt }) => ({
    speaker,
    text,
    occurredAt: new Date(occurredAt),
  }));
  await importConversation(ctx, id, { self, turns: past });
  for (const step of [indexTurns, embedTurns]) while ((await step(ctx, id)) === 'again');
}

/** Returns the ids of the turns that are found with each weight, best first. */
async function findAll(
  ctx: App,
  { id, turns }: LocomoConversation,
  query: string,
): Promise<string[][]> {
  const read = readQuery(query);
  const scope = { threadIds: null, isMessage: false };
  const question = await readQuestion(ctx, id, { input: { query }, ...scope });
  const { vector } = await queryVector(ctx, id, question);
  const embedder = ctx.embedder?.name ?? '';
  const search = { userId: id, terms: read.terms, vector, embedder, weights: RANKING_WEIGHTS };
  const found = await ctx.memory(id).read((memory) => memory.search.searchTurns(search));
  const ids = new Map(
    turns.map((turn) => [placeOf(new Date(turn.occurredAt), turn.text), turn.id]),
  );
  return WEIGHTS.map((weight) =>
    rank(found, read, { ...RANKING_WEIGHTS, vector: weight })
      .slice(0, 10)
      .map(
        ({ candidate: { content } }) =>
          (content && ids.get(placeOf(content.occurredAt, content.text))) ?? '',
      ),
  );
}

const placeOf = (at: Date, text: string): string => `${at.getTime()} ${text.trim()}`;

/** Returns the smallest weight that finds nearly as much as the best: people can understand hits by keywords. */
export function chooseWeight(scores: readonly WeightScore[]): number {
  const best = Math.max(...scores.map(({ score }) => score));
  return scores.find(({ score }) => score >= best - 0.002)?.weight ?? 0;
}
