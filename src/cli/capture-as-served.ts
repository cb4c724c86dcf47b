import { calendarOf } from '../domain/calendar.ts';
import { CAPTURE_KNOBS, type CaptureDecision, decideCapture } from '../domain/capture.ts';
import { signalsOf } from '../domain/capture-signals.ts';
import { type Cut, closeSegments, cutsOf, MAX_WINDOW, WINDOW } from '../domain/segmentation.ts';
import { openingSurprise, turnSurprises } from '../domain/surprise.ts';
import { type Theme, themeOf } from '../domain/theme.ts';
import type { Embedder } from '../embedder/embedder.ts';
import type { Reasoner, Utterance } from '../reasoner/reasoner.ts';

/** What became of one segment: turns `first` to `last`, both included. */
export type Captured = CaptureDecision & { first: number; last: number };

type Served = { reasoner: Reasoner; embedder: Embedder; userId: string };
type Segment = { first: number; last: number; surprise: number };
type Episode = { id: number; endedAt: Date; themes: Theme[]; date: string };

/**
 * Cuts one conversation of one user and decides every segment in turn, as the server does for a thread that was
 * imported and is over. The one place to change when the running server is to be measured.
 */
export async function captureAsServed(
  turns: readonly Utterance[],
  served: Served,
): Promise<Captured[]> {
  const vectors = await embed(
    turns.map(({ text }) => text),
    served,
  );
  const episodes: Episode[] = [];
  const captured: Captured[] = [];
  for (const segment of await segmentsOf(turns, vectors, served)) {
    const own = turns.slice(segment.first, segment.last + 1);
    const description = await served.reasoner.describeSegment({ turns: own }, served);
    const [described = null] = await embed(
      [`${description.title}. ${description.summary}`],
      served,
    );
    const theme = themeOf(own, vectors.slice(segment.first, segment.last + 1), described);
    const endedAt = timeOf(turns, segment.last);
    const { date } = calendarOf(endedAt, null);
    const taken = captured.findLast(({ status }) => status !== 'SKIPPED');
    const signals = signalsOf({
      turns: own,
      startedAt: timeOf(turns, segment.first),
      endedAt,
      outcomes: description.outcomes,
      surprise: segment.surprise,
      theme,
      recent: episodes,
      last: taken
        ? { endedAt: timeOf(turns, taken.last), turnsSince: segment.last - taken.last }
        : null,
      createdToday: episodes.filter((episode) => episode.date === date).length,
      mergeWindowHours: CAPTURE_KNOBS.mergeWindowHours,
      noveltyThreshold: served.embedder.profile.thresholds.novelty,
    });
    const decision = decideCapture(signals, CAPTURE_KNOBS);
    const id = captured.length;
    if (decision.status === 'CREATED') episodes.push({ id, endedAt, themes: [theme], date });
    episodes.find((episode) => episode.id === decision.mergeInto)?.themes.push(theme);
    captured.push({ ...decision, first: segment.first, last: segment.last });
  }
  return captured;
}

/** Window after window, as segments close in a thread that is over. */
async function segmentsOf(
  turns: readonly Utterance[],
  vectors: readonly Float32Array[],
  served: Served,
): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (let from = 0; from < turns.length; ) {
    for (const size of [WINDOW, MAX_WINDOW]) {
      const window = turns.slice(from, from + size);
      const own = vectors.slice(from, from + size);
      const cuts = await cut(window, own, served);
      const isOver = from + window.length === turns.length;
      const closing = closeSegments(window.length, cuts, { isOver });
      if (closing.kind === 'widen') continue;
      for (const { first, last } of closing.parts) {
        const before = segments.at(-1);
        const surprise = surpriseAt(own, cuts, before ? before.first - from : 0, first, last);
        segments.push({ first: from + first, last: from + last, surprise });
      }
      break;
    }
    from = (segments.at(-1)?.last ?? turns.length) + 1;
  }
  return segments;

  function surpriseAt(
    own: readonly Float32Array[],
    cuts: readonly Cut[],
    start: number,
    first: number,
    last: number,
  ): number {
    const isMeant = cuts.some(({ index, cause }) => index === first && cause !== 'GAP');
    if (!isMeant) return 0;
    const before = own.slice(Math.max(0, start), first);
    return openingSurprise(before, own.slice(first, last + 1), served.embedder.profile.surprise);
  }
}

async function cut(
  turns: readonly Utterance[],
  vectors: readonly Float32Array[],
  { reasoner, embedder, userId }: Served,
): Promise<Cut[]> {
  const { boundaries } = await reasoner.findBoundaries({ turns: [...turns] }, { userId });
  const starts = boundaries.map(({ index }) => index);
  const surprise = turnSurprises(vectors, starts, embedder.profile.surprise);
  return cutsOf(turns, { boundaries, surprise });
}

const embed = (texts: readonly string[], { embedder, userId }: Served): Promise<Float32Array[]> =>
  embedder.embed(texts, { priority: 'batch', as: 'document', userId });

const timeOf = (turns: readonly Utterance[], index: number): Date =>
  (turns[index] as Utterance).occurredAt;
