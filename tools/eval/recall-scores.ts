import { sessionOf } from './locomo.ts';

/** The answer to a question: the ids of the turns that were found, best first, and of the evidence. */
export type Answered = { category: number; evidence: readonly string[]; found: readonly string[] };

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the share of `wanted` that is among the first k of `found`, 0-1. */
export function recallAt(k: number, wanted: readonly string[], found: readonly string[]): number {
  const first = new Set(found.slice(0, k));
  return mean(wanted.map((id) => (first.has(id) ? 1 : 0)));
}

/** Returns sessions in the order of their best turn. */
const sessionsOf = (ids: readonly string[]): string[] => [...new Set(ids.map(sessionOf))];

/** Returns the figures of `eval:locomo`: means over all questions, 0-1. */
export function scoreAnswers(answers: readonly Answered[]): Record<string, number> {
  const recall = (k: number) =>
    mean(answers.map(({ evidence, found }) => recallAt(k, evidence, found)));
  const hit = (k: number) =>
    mean(answers.map(({ evidence, found }) => (recallAt(k, evidence, found) > 0 ? 1 : 0)));
  const session = (k: number) =>
    mean(
      answers.map(({ evidence, found }) => recallAt(k, sessionsOf(evidence), sessionsOf(found))),
    );
  return {
    'recall@5': recall(5),
    'recall@10': recall(10),
    'recall@25': recall(25),
    'recall@50': recall(50),
    'hit@5': hit(5),
    'hit@10': hit(10),
    'session@1': session(1),
    'session@3': session(3),
    'session@5': session(5),
  };
}

/** Returns recall for the questions of each category of LoCoMo, by name. */
export function scoreByCategory(
  answers: readonly Answered[],
): Record<string, { questions: number; 'recall@5': number; 'recall@10': number }> {
  return Object.fromEntries(
    Object.entries(CATEGORIES).flatMap(([number, name]) => {
      const inCategory = answers.filter(({ category }) => category === Number(number));
      if (inCategory.length === 0) return [];
      const { 'recall@5': at5 = 0, 'recall@10': at10 = 0 } = scoreAnswers(inCategory);
      return [[name, { questions: inCategory.length, 'recall@5': at5, 'recall@10': at10 }]];
    }),
  );
}

const CATEGORIES = { 1: 'multi-hop', 2: 'temporal', 3: 'open-domain', 4: 'single-hop' };
