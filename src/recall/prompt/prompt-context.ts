import { z } from 'zod';
import type { MemoryContext, RecallContext } from '../../context.ts';
import type { ConversationState } from '../../db/search/conversation-state.ts';
import type { ReadTurn as Turn } from '../../db/turns/turns.ts';
import { NotFound } from '../../domain/core/errors.ts';
import { parse } from '../../domain/core/parse.ts';
import { threadsNamedIn } from '../../domain/threads/named-threads.ts';
import { windowStart } from '../../domain/threads/window.ts';
import { channelRule, DEFAULT_CHANNEL } from '../../domain/turns/channel.ts';
import { isRestatedBy } from '../../domain/turns/restated.ts';
import { channelSchema } from '../../domain/turns/turn.ts';
import { continuityOf, pauseBetween } from '../../language/en/continuity.ts';
import { termWeight } from '../../language/en/term-weight.ts';
import { DAY } from '../../shared/duration.ts';
import { recall } from '../recall.ts';
import type { Recall } from '../recalled.ts';
import { episodesOf, recordImpression } from '../record-impression.ts';
import { touchRecalled } from '../touch-facts.ts';
import { excerpt, questionIn } from './excerpt.ts';
import { fitPrompt, type PromptParts } from './prompt-budget.ts';
import { withoutStatements } from './without-statements.ts';

/** The thread or channel of a message, and its time. */
type MessagePlace = { threadId: number | null; channel: string | null; asOf: Date };

/** The context for a prompt. */
export type PromptContext = PromptParts &
  Pick<Recall, 'range' | 'intent' | 'vectors'> & {
    mode: 'EXPLICIT' | 'IMPLICIT';
    threadId: number | null;
    related: ConversationState['related'];
  };

const inputSchema = z.object({
  channel: channelSchema.nullish().transform((channel) => channel ?? null),
  message: z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(10_000, 'must be at most 10,000 characters'),
  maxTokens: z
    .int()
    .min(200, 'must be at least 200')
    .max(1_000_000, 'must be at most 1,000,000')
    .nullish()
    .transform((tokens) => tokens ?? 4_000),
  asOf: z.date().nullish(),
  vector: z.unknown().optional(),
});

/** A thread of at most this many turns has just begun, so the thread before it matters. */
const NEW_THREAD_TURNS = 4;
/** The longest texts of an earlier question and its answer, in characters. */
const EXCHANGE = { question: 160, answer: 240 };
/** Hits to choose from: more than fit into any usual budget. */
const MOST_HITS = 60;
/**
 * Hits with less than this share of the best turn's score are not about the message: they stay out, even if there is room. Of 270
 * questions about weeks of ordinary talk, 268 are answered by sixty hits, and 266 by those above the share of turns, two thirds of
 * them. Other kinds score lower.
 */
const RELEVANT = { turns: 0.3, others: 0.1 };

/**
 * Assembles the context for a model to answer a message (requirements 13.4). On an explicit channel it contains the thread and
 * what is known of the person, on an implicit one also what belongs to the thread from other threads.
 * @param threadId the thread that the caller named; null: the channel decides
 * @param isDry nothing is recorded, see `RecallRequest`
 * @throws InvalidInput, NotFound
 */
export async function promptContext(
  ctx: RecallContext,
  userId: string,
  { input, threadId, isDry }: { input: unknown; threadId: number | null; isDry: boolean },
): Promise<PromptContext> {
  const request = parse(inputSchema, input);
  const { message, maxTokens, vector } = request;
  const asOf = request.asOf ?? ctx.clock();
  const place = { threadId, channel: channelOf(request.channel, threadId), asOf };
  const state = await stateOf(ctx, userId, { ...place, alike: [] });
  const mode = state?.isImplicit === false ? ('EXPLICIT' as const) : ('IMPLICIT' as const);
  const thread = state?.thread ?? null;
  const window = thread ? await windowOf(ctx, userId, { thread, message, asOf }) : [];
  const only = mode === 'EXPLICIT' && thread ? [thread.id] : null;
  const recalled = await recall(ctx, userId, {
    input: { query: message, first: MOST_HITS, detail: 'NONE', asOf: request.asOf ?? null, vector },
    threadIds: only,
    shownIn: null,
    isMessage: true,
    isDry,
  });
  const related = await earlierOf(ctx, userId, { ...place, ...recalled, state });
  const exchanges = exchangesOf(recalled, related);
  const shown = new Set([
    ...window.map(({ id }) => id),
    ...exchanges.flatMap(({ questionId, answerId }) => [questionId, answerId ?? questionId]),
  ]);
  const parts = await fitPrompt(
    {
      message,
      timeZone: state?.timeZone ?? 'UTC',
      continuity: recalled.continues ? continuityIn(state, related, asOf) : null,
      exchanges: exchanges.map(({ question, answer }) => ({
        question: questionIn(question, EXCHANGE.question),
        answer: answer && excerpt(answer, message, EXCHANGE.answer),
      })),
      summaries: summariesOf(state?.shared ?? null, related),
      facts: recalled.facts,
      profile: profileBeside(state?.profile ?? null, recalled),
      hits: relevant(recalled.hits).filter(
        (hit) => !(hit.kind === 'TURN' && (shown.has(hit.turn.id) || hit.turn.text === message)),
      ),
      window,
      asOf,
    },
    maxTokens,
  );
  if (!isDry) touchRecalled(ctx, userId, parts);
  void recordImpression(ctx, userId, {
    threadId: isDry ? null : (thread?.id ?? null),
    episodeIds: episodesOf(parts.hits),
    now: asOf,
  });
  const { range, intent, vectors } = recalled;
  return { ...parts, mode, threadId: thread?.id ?? null, related, range, intent, vectors };
}

/** The exchanges to print, the earliest first: none if the message continues nothing, so that their turns may be hits. */
const exchangesOf = ({ continues }: Recall, related: ConversationState['related']) =>
  continues ? related.toReversed().flatMap(({ exchanges }) => exchanges) : [];

/** Leaves out what is not about the message. */
function relevant(hits: Recall['hits']): Recall['hits'] {
  const turns = hits.flatMap((hit) => (hit.kind === 'TURN' ? [hit.score] : []));
  const best = Math.max(...turns);
  // A share of a negative score would be higher than the score.
  const least = (share: number) => (best > 0 ? best * share : best);
  return hits.filter(
    ({ kind, score }) => score >= least(kind === 'TURN' ? RELEVANT.turns : RELEVANT.others),
  );
}

/** As for `remember`: a message without a channel and a thread comes to the default channel. */
const channelOf = (channel: string | null, threadId: number | null): string | null =>
  channel ?? (threadId === null ? DEFAULT_CHANNEL : null);

/** Reads the conversation state of a message; null for an unknown user. @throws NotFound */
async function stateOf(
  ctx: MemoryContext,
  userId: string,
  { threadId, channel, asOf, alike }: MessagePlace & { alike: readonly number[] },
): Promise<ConversationState | null> {
  return ctx.memory(userId).read(async (memory) => {
    const ownRule = channel && (await memory.settings.channelRuleOf(channel));
    const rule =
      channel && (ownRule ?? channelRule(channel, new Map(), ctx.config.threads.channelRules));
    const state = await memory.conversationState.read({
      threadId,
      isImplicit: rule ? rule.kind === 'IMPLICIT' : null,
      asOf,
      recentFrom: new Date(asOf.getTime() - DAY),
      newThreadTurns: NEW_THREAD_TURNS,
      alike,
      now: memory.now,
    });
    if (threadId !== null && !state?.thread) throw new NotFound('thread');
    return state;
  });
}

/** The thread's session window, without the message itself if that is remembered already. */
async function windowOf(
  ctx: MemoryContext,
  userId: string,
  {
    thread,
    message,
    asOf,
  }: { thread: NonNullable<ConversationState['thread']>; message: string; asOf: Date },
): Promise<Turn[]> {
  const stretch = { threadId: thread.id, from: windowStart(thread), to: thread.turnCount };
  const turns = await ctx.memory(userId).read((memory) => memory.turns.inStretches([stretch]));
  const visible = turns.filter(({ occurredAt }) => occurredAt <= asOf);
  const last = visible.at(-1);
  return last?.role === 'USER' && last.text.trim() === message ? visible.slice(0, -1) : visible;
}

/**
 * The earlier threads that matter to a message: those linked with its own and, if the message continues something, the one
 * it names or else the one before. Linked threads come first, then the most similar, then the latest.
 */
async function earlierOf(
  ctx: MemoryContext,
  userId: string,
  given: MessagePlace & Pick<Recall, 'continues' | 'terms'> & { state: ConversationState | null },
): Promise<ConversationState['related']> {
  const { state, continues, terms, asOf } = given;
  const [latest] = state?.related ?? [];
  if (!latest || !continues) return state?.related.filter(({ linked }) => linked) ?? [];
  const informative = terms.filter((term) => termWeight(term) >= 1);
  const from = new Date(Math.min(+asOf - DAY, +latest.startedAt));
  const found = await ctx
    .memory(userId)
    .read((memory) => memory.conversationState.threadsWith(informative, { from, to: asOf }));
  const alike = threadsNamedIn(found, informative.length);
  const isOther = alike.length > 0 && alike[0] !== latest.id;
  const other = isOther ? await stateOf(ctx, userId, { ...given, alike }) : state;
  const place = (id: number) => (alike.includes(id) ? alike.indexOf(id) : alike.length);
  return (other?.related ?? []).toSorted(
    (a, b) => Number(b.linked) - Number(a.linked) || place(a.id) - place(b.id),
  );
}

/** The profile without the facts that the prompt lists separately; null if nothing is left. */
function profileBeside(
  profile: ConversationState['profile'],
  { facts, hits }: Recall,
): ConversationState['profile'] {
  if (!profile) return null;
  const found = hits.flatMap((hit) => (hit.kind === 'FACT' ? [hit.fact] : []));
  const listed = [...facts, ...found].map(({ statement }) => statement);
  const prose = withoutStatements(profile.prose, listed);
  return prose === '' ? null : { ...profile, prose };
}

/** The line that resumes an earlier thread, and the pause since then; null without an earlier thread. */
function continuityIn(
  state: ConversationState | null,
  [previous]: ConversationState['related'],
  asOf: Date,
): PromptParts['continuity'] {
  if (!previous) return null;
  const { topic, title, exchanges, lastActivityAt } = previous;
  const pause = pauseBetween(lastActivityAt, state?.thread?.startedAt ?? asOf);
  return {
    line: continuityOf({ topic: topic ?? title, hasAsked: exchanges.length > 0 }),
    pause: pause && `Continuing from previous thread after ${pause} break`,
  };
}

/** The summaries of related threads. Their common summary comes first, if it says more than the others. */
function summariesOf(
  shared: string | null,
  related: ConversationState['related'],
): PromptParts['summaries'] {
  const single = related.flatMap(({ id, summary, lastActivityAt, turnCount }) =>
    summary === null ? [] : [{ threadId: id, text: summary, at: lastActivityAt, turns: turnCount }],
  );
  const texts = single.map(({ text }) => text);
  if (shared === null || isRestatedBy(shared, texts)) return single;
  return [
    { threadId: null, text: shared, at: null, turns: null },
    ...single.filter(({ text }) => !isRestatedBy(text, [shared])),
  ];
}
