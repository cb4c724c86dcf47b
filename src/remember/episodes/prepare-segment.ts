import type { Context, MemoryContext, Needs } from '../../context.ts';
import type { PendingSegment } from '../../db/episodes/captures.ts';
import type { TurnRow } from '../../db/turns/remember.ts';
import type { CaptureKnobs } from '../../domain/episodes/capture.ts';
import { knobsFor } from '../../domain/episodes/capture-settings.ts';
import { foundBy } from '../../domain/episodes/episode.ts';
import type { Theme } from '../../domain/episodes/theme.ts';
import { embedTexts, vectorOf } from '../vectors/embed-texts.ts';
import { surpriseAnew } from './surprise-anew.ts';

/** A segment and its turns. */
export type SegmentTurns = { segment: PendingSegment; turns: TurnRow[] };

type Description = NonNullable<PendingSegment['description']>;

/** What is known about a segment without looking at what was captured before it. */
export type PreparedSegment = SegmentTurns & {
  /** When its preparation began, by `performance.now()`. */
  started: number;
  knobs: CaptureKnobs;
  surprise: number;
  description: Description;
  theme: Theme;
};

/**
 * Describes a segment, finds its theme and, if that is not known, how surprising it is.
 * @param asked.signal aborted when nobody waits for it any more: its turns may have been erased, and no embedder gets them then
 */
export async function prepareSegment(
  ctx: Context,
  userId: string,
  { segment, turns, signal }: SegmentTurns & { signal: AbortSignal },
): Promise<PreparedSegment> {
  const started = performance.now();
  const usual = knobsFor(ctx.config.capture, segment.settings);
  const knobs = { ...usual, everything: usual.everything || segment.isImported };
  const surprise = segment.surprise ?? (await surpriseAnew(ctx, userId, { segment, turns }));
  const description =
    segment.description ??
    (await describe(ctx, userId, { ...knobs, turns, timeZone: segment.timeZone }));
  signal.throwIfAborted();
  const theme = await themeHere(ctx, userId, { turns, text: foundBy(description) });
  return { segment, turns, started, knobs, surprise, description, theme };
}

/** Describes a segment, by its newest turns only if there are many. */
async function describe(
  { reasoner }: Needs<'reasoner'>,
  userId: string,
  { turns, windowTurns, timeZone }: CaptureKnobs & { turns: TurnRow[]; timeZone: string | null },
): Promise<Description> {
  const leftOut = Math.max(0, turns.length - windowTurns);
  const input = { turns: turns.slice(leftOut), leftOut, timeZone };
  const description = await reasoner.describeSegment(input, { userId });
  const model = reasoner.modelOf('describe-segment');
  return { ...description, generatedBy: reasoner.generatedBy, model };
}

/** The theme of a segment, with vectors if there is an embedder. @param text its description; empty if it has none */
async function themeHere(
  ctx: MemoryContext & Needs<'rules'>,
  userId: string,
  { turns, text }: { turns: TurnRow[]; text: string },
): Promise<Theme> {
  const { embedder, rules } = ctx;
  if (!embedder) return rules.theme({ turns, vectors: [], described: null }, { userId });
  const descriptions = text === '' ? [] : [text];
  const texts = [...descriptions, ...turns];
  const vectors = (await embedTexts({ ...ctx, embedder }, userId, texts)).map(vectorOf);
  const [described = null] = vectors.splice(0, descriptions.length);
  return rules.theme({ turns, vectors, described }, { userId });
}
