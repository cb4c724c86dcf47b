import type { TurnFilter } from '../db/search/search.ts';
import type { MemoryFilter } from '../db/search/search-memories.ts';
import type { Question } from './read-question.ts';
import type { RecallRange } from './time-range.ts';

/** The filter of a question, for all kinds except turns. */
export function memoryFilter(
  { asOf, factsAt, channels, speakers, categories, threadIds }: Question,
  range: RecallRange | null,
): MemoryFilter {
  const { from, to } = range ?? { from: null, to: null };
  return { from, to, asOf, factsAt, threadIds, channels, speakers, categories };
}

/** The same for turns; null = no restriction. Turns said after `asOf` are excluded. */
export function turnFilter({
  from,
  to,
  asOf,
  threadIds,
  channels,
  speakers,
}: MemoryFilter): TurnFilter | null {
  const until = asOf && new Date(asOf.getTime() + 1);
  const end = to && (!until || to < until) ? to : until;
  const filter = {
    ...(from ? { from } : {}),
    ...(end ? { to: end } : {}),
    ...(channels ? { channels: [...channels] } : {}),
    ...(threadIds ? { threadIds: [...threadIds] } : {}),
    ...(speakers ? { speakers: [...speakers] } : {}),
  };
  return Object.keys(filter).length > 0 ? filter : null;
}
