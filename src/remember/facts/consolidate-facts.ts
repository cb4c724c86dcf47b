import type { MemoryContext, Needs } from '../../context.ts';
import type { Unconsolidated } from '../../db/episodes/unconsolidated.ts';
import type { Heard } from '../../db/facts/facts.ts';
import { Overtaken } from '../../domain/core/errors.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { areFactsDue } from '../../domain/episodes/consolidation.ts';
import type { DatedFact } from '../../domain/facts/fact-timeline.ts';
import { isIn } from '../../domain/turns/stretch.ts';
import type { Memory, MemoryReader } from '../../memory.ts';
import { keysOf } from '../../shared/keys-of.ts';
import { onDemand } from '../operations/on-demand.ts';
import { readBy } from '../operations/read-by.ts';
import { type ChangeCount, countChanges } from './log-fact-decisions.ts';
import { readCandidates, type TurnGroup } from './read-candidates.ts';
import { type FoundCandidate, reconcileCandidates } from './reconcile-facts.ts';

type Turn = TurnGroup['turns'][number];

/** How many facts were found in how many episodes, and what became of them. */
export type FactTally = ChangeCount & { episodes: number; turns: number };

/**
 * Extracts facts from a user's episodes, each read as a whole (requirements 10.1): once three are unconsolidated, or one is a
 * flashbulb. Statements that were extracted from a turn before are ignored.
 */
export async function consolidateFacts(
  ctx: MemoryContext & Needs<'reasoner' | 'logger' | 'metrics'>,
  userId: string,
): Promise<StepOutcome> {
  return (await consolidateNext(ctx, userId, false)) ? 'again' : 'done';
}

/**
 * The same at once, however few episodes are unconsolidated.
 * @throws ModelUnavailable
 */
export async function consolidateFactsNow(
  ctx: MemoryContext & Needs<'reasoner' | 'logger' | 'metrics'>,
  userId: string,
): Promise<FactTally> {
  const total = { episodes: 0, turns: 0, recorded: 0, superseding: 0, reinforced: 0, refused: 0 };
  for (;;) {
    const next = await onDemand(ctx, () => consolidateNext(ctx, userId, true));
    if (!next) return total;
    for (const what of keysOf(total)) total[what] += next[what];
  }
}

/** Consolidates the earliest episodes; null if none is due. @throws Overtaken */
async function consolidateNext(
  ctx: MemoryContext & Needs<'reasoner' | 'logger' | 'metrics'>,
  userId: string,
  isAsked: boolean,
): Promise<FactTally | null> {
  // As in extractFacts, a late turn must not come between two statements.
  const read = await ctx
    .memory(userId)
    .read((memory) => readNext(ctx, memory, isAsked), { snapshot: true });
  if (!read) return null;
  const { candidates } = await readCandidates(ctx, userId, {
    ...read,
    groups: groupsOf(ctx, read),
  });
  const tally = await ctx
    .memory(userId)
    .write((memory) => save(ctx, memory, { ...read, candidates }), {
      since: read.epoch,
      request: 'consolidateNow',
    });
  ctx.logger.info({ userId, ...tally }, 'memory.consolidate');
  return tally;
}

type Read = Unconsolidated & {
  turns: Turn[];
  storedFacts: DatedFact[];
  heard: Heard[];
  last: number;
};

async function readNext(
  ctx: Needs<'config' | 'reasoner'>,
  memory: MemoryReader,
  isAsked: boolean,
): Promise<Read | null> {
  const next = await memory.unconsolidated.next();
  if (!next || !areFactsDue(next, ctx.config.consolidation, isAsked)) return null;
  const stretches = next.episodes.flatMap((episode) => episode.stretches);
  const turns = await memory.turns.inStretches(stretches, readBy(ctx));
  const ids = turns.map(({ id }) => id);
  return {
    ...next,
    turns,
    storedFacts: await memory.facts.stored({}),
    heard: await memory.facts.heard(ids, []),
    last: (await memory.facts.counters()).last,
  };
}

/** The built-in rules read the turns of one episode part at a time, a model reads all at once. */
function groupsOf({ reasoner }: Needs<'reasoner'>, { episodes, turns }: Read): TurnGroup[] {
  const stretches = episodes.flatMap((episode) => episode.stretches);
  const groups = stretches
    .map((stretch) => turns.filter((turn) => isIn(stretch, turn)))
    .filter((group) => group.some(({ role }) => role === 'USER'));
  if (groups.length === 0) return [];
  const requests = reasoner.generatedBy === 'MODEL' ? [groups.flat()] : groups;
  return requests.map((group) => ({ turns: group, contextTurns: 0 }));
}

async function save(
  ctx: Needs<'reasoner' | 'logger' | 'metrics'>,
  memory: Memory,
  { episodes, turns, last, candidates }: Read & { candidates: readonly FoundCandidate[] },
): Promise<FactTally> {
  // The candidates were not compared by meaning with facts that were added meanwhile.
  const isCurrent = (await memory.facts.counters()).last === last;
  if (!(isCurrent && (await memory.unconsolidated.mark(episodes, memory.now)))) {
    throw new Overtaken();
  }
  const changes = candidates.length > 0 ? await reconcileCandidates(ctx, memory, candidates) : [];
  const tally = { episodes: episodes.length, turns: turns.length, ...countChanges(changes) };
  const { recorded, superseding, reinforced, refused } = tally;
  const model = ctx.reasoner.modelOf('extract-facts');
  const decision =
    `memory.consolidate (${tally.episodes} episodes, ${tally.turns} turns: ${recorded} new, ${superseding} ` +
    `of them instead of others, ${reinforced} said again, ${refused} refused, by ${model})`;
  memory.record({ kind: 'EPISODES_CONSOLIDATED', decision });
  return tally;
}
