import type { MemoryContext, Needs } from '../../context.ts';
import type { EpisodePart, PendingSegment } from '../../db/episodes/captures.ts';
import { foundBy } from '../../domain/episodes/episode.ts';
import { joinWithoutRepeats } from '../../domain/turns/restated.ts';
import { personIn } from '../knowledge/person-in.ts';
import { embedTexts, vectorOf } from '../vectors/embed-texts.ts';

/** The summary of an episode that has several parts. */
type Whole = { id: number; summary: string; vector: Float32Array | null };

/** The summaries of an episode's parts are joined up to this many characters in all; longer ones are summarised again. */
const MOST_CHARACTERS = 1_000;

/**
 * Makes a summary of all parts of the episode that the segment is or is merged into.
 * @returns null if the episode has no other parts, or the segment has no summary
 */
export async function recombine(
  ctx: MemoryContext & Needs<'reasoner'>,
  userId: string,
  {
    segment,
    parts: knownParts,
    description,
    target,
  }: {
    segment: PendingSegment;
    /** Those of the episode that the segment is or is merged into so far. */
    parts: readonly EpisodePart[];
    description: { title: string | null; summary: string | null };
    target: number | null;
  },
): Promise<Whole | null> {
  const id = target ?? segment.id;
  const parts =
    target === segment.mergedIntoId
      ? knownParts
      : await ctx.memory(userId).read((memory) => memory.captures.parts(id));
  const others = parts.filter((part) => part.id !== segment.id);
  if (others.length === 0 || description.summary === null) return null;
  const { title: ownTitle, summary: ownSummary } = description;
  const part = { title: ownTitle, summary: ownSummary, id: segment.id, endedAt: segment.endedAt };
  const episodes = [...others, part].sort(
    (a, b) => a.endedAt.getTime() - b.endedAt.getTime() || a.id - b.id,
  );
  const joined = joinWithoutRepeats(episodes.map((part) => part.summary));
  const { summary } =
    joined.length <= MOST_CHARACTERS
      ? { summary: joined }
      : await ctx.reasoner.summarizeEpisodes(
          { ...personIn([], segment.timeZone), episodes },
          { userId },
        );
  const title = parts.find((one) => one.id === id)?.title ?? description.title;
  const texts = [foundBy({ title, summary })];
  const { embedder } = ctx;
  const [embedded] = embedder ? await embedTexts({ ...ctx, embedder }, userId, texts) : [];
  return { id, summary, vector: embedded ? vectorOf(embedded) : null };
}
