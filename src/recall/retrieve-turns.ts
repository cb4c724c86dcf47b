import type { Context } from '../context.ts';
import type { Scale, turnRetrievability } from '../domain/memory-ranking.ts';
import { placeTurns, scaleOf } from '../domain/place-turns.ts';
import { mayLead, type Placed, type RankingQuery, type RankingWeights } from '../domain/ranking.ts';
import { selectTurns } from '../domain/select-turns.ts';

type Tx = Parameters<Parameters<Context['db']['asUser']>[1]>[0];
type Store = Context['store'];
type TurnSearch = Parameters<Store['search']['searchTurns']>[1];
/** A turn that was found, with its text. */
export type FoundTurn = Awaited<ReturnType<Store['search']['searchTurns']>>['turns'][number];

type Fading = Parameters<typeof turnRetrievability>[0];

export type FoundTurns = {
  /** Those that may be among the first, with their texts; unordered. */
  placed: Placed<FoundTurn>[];
  /** How those fade that lie in a closed segment, by their place in the list. */
  fading: ReadonlyMap<number, Fading>;
  /** Of all that were found; null when nothing was. */
  scale: Scale | null;
  timeZone: string | null;
  /** Whether the embedder has come to all turns. */
  embedded: boolean;
};

/** Up to so many turns, reading all of them is quicker than joining the best; measured, see docs/ranking.md. */
const SMALL = 2_000;

/** The turns that may answer, and how they fade. */
export async function retrieveTurns(
  ctx: Context,
  tx: Tx,
  search: TurnSearch & { weights: RankingWeights },
  by: { query: RankingQuery; first: number; floor: number },
): Promise<FoundTurns> {
  const found = await searchTurns(ctx, tx, search, by);
  const turns = found.placed.map(({ candidate }) => candidate);
  const fading =
    turns.length > 0 && by.floor < 1
      ? await ctx.store.fading.fadingOf(tx, search.userId, turns)
      : new Map<number, Fading>();
  return { ...found, fading };
}

type Searched = Omit<FoundTurns, 'fading'>;

/** By words and by meaning, all that can come among the first so many. */
async function searchTurns(
  ctx: Context,
  tx: Tx,
  search: TurnSearch & { weights: RankingWeights },
  { query, first, floor }: { query: RankingQuery; first: number; floor: number },
): Promise<Searched> {
  const { weights } = search;
  const scan = await ctx.store.scanTurns.scanTurns(tx, search, SMALL);
  if (!scan) return searchMany(ctx, tx, search, query);
  const { turns, statistics } = selectTurns(scan.columns, weights);
  const placed = placeTurns(turns, statistics, weights);
  const leading = mayLead(placed, query, { first, floor }, weights);
  const ids = leading.map(({ candidate }) => candidate.id);
  const texts = await ctx.store.scanTurns.turnTexts(tx, search.userId, ids);
  const textOf = new Map(texts.map((text) => [text.id, text]));
  const { timeZone, embedded } = scan;
  return {
    placed: leading.flatMap((own) => {
      const text = textOf.get(own.candidate.id);
      return text ? [{ ...own, candidate: Object.assign(text, own.candidate) }] : [];
    }),
    scale: scaleOf(placed, query, statistics, weights),
    timeZone,
    embedded,
  };
}

/** Of a large memory the statement joins what it finds. */
async function searchMany(
  ctx: Context,
  tx: Tx,
  search: TurnSearch & { weights: RankingWeights },
  query: RankingQuery,
): Promise<Searched> {
  const found = await ctx.store.search.searchTurns(tx, search);
  const placed = placeTurns(found.turns, found.statistics, search.weights);
  const scale = scaleOf(placed, query, found.statistics, search.weights);
  const { timeZone } = found;
  if (found.embedded !== null) return { placed, scale, timeZone, embedded: found.embedded };
  const { pending } = await ctx.store.vectorIndex.progress(tx, search.userId, search.embedder);
  return { placed, scale, timeZone, embedded: pending === 0 };
}
