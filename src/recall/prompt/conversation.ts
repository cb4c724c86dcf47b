import type { MemoryContext } from '../../context.ts';
import type { ConversationState } from '../../db/search/conversation-state.ts';
import type { TurnText as Turn } from '../../db/turns/turns.ts';
import { NotFound } from '../../domain/core/errors.ts';
import { threadsNamedIn } from '../../domain/threads/named-threads.ts';
import { windowStart } from '../../domain/threads/window.ts';
import { type ChannelKind, channelRule, DEFAULT_CHANNEL } from '../../domain/turns/channel.ts';
import { termWeight } from '../../language/en/term-weight.ts';
import { DAY } from '../../shared/duration.ts';
import type { Recall } from '../recalled.ts';

/**
 * The thread or channel of a message, and its time. `until`: what was said later is unknown; without an `asOf` that is a little
 * after the message, since turns may come from a clock that is ahead.
 */
type MessagePlace = { threadId: number | null; channel: string | null; asOf: Date; until: Date };

/** A thread of at most this many turns has just begun, so the thread before it matters. */
const NEW_THREAD_TURNS = 4;

/** As for `remember`: a message without a channel and a thread comes to the default channel. */
export const channelOf = (channel: string | null, threadId: number | null): string | null =>
  channel ?? (threadId === null ? DEFAULT_CHANNEL : null);

/** Reads the conversation state of a message, null for an unknown user, and how its thread is chosen. @throws NotFound */
export async function stateOf(
  ctx: MemoryContext,
  userId: string,
  { threadId, channel, asOf, until, alike }: MessagePlace & { alike: readonly number[] },
): Promise<{ state: ConversationState | null; mode: ChannelKind }> {
  const { channelRules, implicitTimeoutMinutes } = ctx.config.threads;
  return ctx.memory(userId).read(async (memory) => {
    const rule =
      channel === null
        ? null
        : channelRule(channel, await memory.settings.channelRuleOf(channel), channelRules);
    const state = await memory.conversationState.read({
      threadId,
      isImplicit: rule && rule.kind === 'IMPLICIT',
      timeoutMinutes: rule?.inactivityTimeoutMinutes ?? implicitTimeoutMinutes,
      asOf,
      until,
      recentFrom: new Date(asOf.getTime() - DAY),
      newThreadTurns: NEW_THREAD_TURNS,
      alike,
      now: memory.now,
    });
    if (threadId !== null && !state?.thread) throw new NotFound('thread');
    const isImplicit = state?.isImplicit ?? rule?.kind !== 'EXPLICIT';
    return { state, mode: isImplicit ? 'IMPLICIT' : 'EXPLICIT' };
  });
}

/** The most bytes that a token stands for, in any ordinary text: texts with more bytes for each token of a context do not fit it. */
const TOKEN_BYTES = 32;
/** The most bytes of a message, which may be the last turn. */
const MESSAGE_BYTES = 40_000;

/** The session window: the turns that may fit the context, how many come before them, and the ids of all. */
type Window = { turns: Turn[]; tooLong: number; ids: number[] };

/**
 * The session window of the thread, if there is one, without the message itself if that is remembered already. Texts that cannot
 * fit `maxTokens` are not read.
 */
export async function windowOf(
  ctx: MemoryContext,
  userId: string,
  {
    thread,
    message,
    until,
    maxTokens,
  }: {
    thread: NonNullable<ConversationState['thread']> | null;
    message: string;
    until: Date;
    maxTokens: number;
  },
): Promise<Window> {
  if (!thread) return { turns: [], tooLong: 0, ids: [] };
  const stretch = { threadId: thread.id, from: windowStart(thread), to: thread.turnCount };
  const turns = await ctx
    .memory(userId)
    .read((memory) => memory.turns.newestOf(stretch, maxTokens * TOKEN_BYTES + MESSAGE_BYTES));
  const visible = turns.filter(({ occurredAt }) => occurredAt <= until);
  const last = visible.at(-1);
  const isStored = last?.role === 'USER' && last.text?.trim() === message;
  const before = isStored ? visible.slice(0, -1) : visible;
  const read = before.flatMap(({ text, ...turn }) => (text === null ? [] : [{ ...turn, text }]));
  return { turns: read, tooLong: before.length - read.length, ids: before.map(({ id }) => id) };
}

/**
 * The earlier threads that matter to a message: those linked with its own and, if the message continues something, the one
 * it names or else the one before. Linked threads come first, then the most similar, then the latest.
 */
export async function earlierOf(
  ctx: MemoryContext,
  userId: string,
  given: MessagePlace & Pick<Recall, 'continues' | 'terms'> & { state: ConversationState | null },
): Promise<ConversationState['related']> {
  const { state, continues, terms, asOf, until } = given;
  const [latest] = state?.related ?? [];
  if (!latest || !continues) return state?.related.filter(({ linked }) => linked) ?? [];
  const informative = terms.filter((term) => termWeight(term) >= 1);
  const from = new Date(Math.min(+asOf - DAY, +latest.startedAt));
  const found = await ctx
    .memory(userId)
    .read((memory) => memory.conversationState.threadsWith(informative, { from, to: until }));
  const alike = threadsNamedIn(found, informative.length);
  const isOther = alike.length > 0 && alike[0] !== latest.id;
  const other = isOther ? (await stateOf(ctx, userId, { ...given, alike })).state : state;
  const place = (id: number) => (alike.includes(id) ? alike.indexOf(id) : alike.length);
  return (other?.related ?? []).toSorted(
    (a, b) => Number(b.linked) - Number(a.linked) || place(a.id) - place(b.id),
  );
}
