import { z } from 'zod';
import type { MemoryContext, Needs } from '../context.ts';
import type { ShownEpisode } from '../db/facts/recalled.ts';
import type { TurnText as Turn } from '../db/turns/turns.ts';
import { parse } from '../domain/core/parse.ts';
import { KEY_MOMENT } from '../domain/episodes/forgetting.ts';
import { factTime } from '../domain/facts/fact-time.ts';
import { isKeyMoment } from '../domain/ranking/memory-ranking.ts';
import { isIn, stretchOf } from '../domain/turns/stretch.ts';
import { DAY } from '../shared/duration.ts';
import { givesDetail, turnsShown } from './assemble.ts';
import { episodeBlock, fenced } from './format.ts';
import { DETAILS } from './read-question.ts';

const inputSchema = z.object({
  days: z.number().min(0.01, 'must be at least 0.01').max(36_500, 'must be at most 36,500'),
  keyMomentsOnly: z.boolean(),
  first: z.int().min(1, 'must be at least 1').max(100, 'must be at most 100'),
  detail: z.enum(DETAILS),
  asOf: z.date().nullish(),
});

/** A recent episode, with its turns if the level of detail includes them. */
export type RecentMemory = { episode: ShownEpisode; keyMoment: boolean; turns: Turn[] };
export type RecentMemories = { memories: RecentMemory[]; asOf: Date };

/** The episodes of the last days, the newest first (requirements 12.12). @throws InvalidInput, AnswerTooLarge */
export async function recentMemories(
  ctx: MemoryContext & Needs<'config'>,
  userId: string,
  input: z.input<typeof inputSchema>,
): Promise<RecentMemories> {
  const { days, keyMomentsOnly, first, detail, ...filter } = parse(inputSchema, input, null);
  const asOf = filter.asOf ?? ctx.clock();
  const most = ctx.config.limits.answerBytes;
  const memories = await ctx.memory(userId).read(async (memory) => {
    const episodes = await memory.recalled.recentEpisodes({
      from: new Date(asOf.getTime() - days * DAY),
      to: filter.asOf ?? factTime(asOf),
      surprise: keyMomentsOnly ? KEY_MOMENT : 0,
      most: first,
    });
    const detailed = episodes.filter((episode, index) =>
      givesDetail(detail, index + 1, isKeyMoment(episode.surprise)),
    );
    const turns = await turnsShown(memory, detailed.map(stretchOf), most);
    return episodes.map((episode) => ({
      episode,
      keyMoment: isKeyMoment(episode.surprise),
      turns: detailed.includes(episode)
        ? turns.filter((turn) => isIn(stretchOf(episode), turn))
        : [],
    }));
  });
  return { memories, asOf };
}

/** The same as markdown. */
export const recentMarkdown = ({ memories, asOf }: RecentMemories): string =>
  fenced([
    '## Recent Memories',
    ...(memories.length > 0
      ? memories.map(({ episode, keyMoment, turns }) =>
          episodeBlock(episode, turns, { ranked: null, keyMoment, now: asOf }),
        )
      : ['No memories.']),
  ]);
