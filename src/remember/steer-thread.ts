import { z } from 'zod';
import type { Context } from '../context.ts';
import { NotFound } from '../domain/errors.ts';
import type { EventDraft } from '../domain/event.ts';
import { parse } from '../domain/parse.ts';
import { idleAt } from '../domain/thread.ts';
import { channelSchema, timeoutSchema, titleSchema } from '../domain/turn.ts';

type Thread = NonNullable<Awaited<ReturnType<Context['store']['threads']['find']>>>;
type Tx = Parameters<Parameters<Context['db']['asUser']>[1]>[0];

const openSchema = z.object({
  channel: channelSchema,
  title: titleSchema.nullish(),
  inactivityTimeoutMinutes: timeoutSchema.nullish(),
});

/**
 * Opens a thread that the caller picked, before its first turn.
 * @throws InvalidInput
 */
export async function openThread(ctx: Context, userId: string, input: unknown): Promise<Thread> {
  const { channel, title, inactivityTimeoutMinutes } = parse(openSchema, input);
  const now = ctx.clock();
  const timeout = inactivityTimeoutMinutes ?? ctx.config.threads.explicitTimeoutMinutes;
  return change(ctx, userId, async (tx) => {
    const thread = await ctx.store.threads.open(tx, userId, {
      title: title ?? null,
      channels: [channel],
      inactivityTimeoutMinutes: inactivityTimeoutMinutes ?? null,
      at: now,
      idleAt: idleAt(now, timeout),
    });
    await wakeWhenIdle(ctx, tx, thread);
    const decision = 'thread.open (by hand)';
    return { thread, event: { kind: 'THREAD_OPENED', threadId: thread.id, decision } };
  });
}

const updateSchema = z.object({
  title: titleSchema.nullish(),
  inactivityTimeoutMinutes: timeoutSchema.nullish(),
});

/**
 * Changes a thread's title or timeout; what is undefined stays, null goes back to the default.
 * @throws InvalidInput, NotFound
 */
export async function updateThread(
  ctx: Context,
  userId: string,
  threadId: number,
  input: unknown,
): Promise<Thread> {
  const changes = parse(updateSchema, input);
  return change(ctx, userId, async (tx) => {
    const thread = await find(ctx, tx, userId, threadId);
    const next = {
      ...thread,
      ...(changes.title !== undefined ? { title: changes.title } : {}),
    };
    if (changes.inactivityTimeoutMinutes !== undefined) {
      const { explicitTimeoutMinutes, implicitTimeoutMinutes } = ctx.config.threads;
      const fallback = thread.explicit ? explicitTimeoutMinutes : implicitTimeoutMinutes;
      next.inactivityTimeoutMinutes = changes.inactivityTimeoutMinutes;
      next.idleAt = idleAt(thread.lastActivityAt, next.inactivityTimeoutMinutes ?? fallback);
    }
    const saved = await ctx.store.threads.update(tx, next);
    await wakeWhenIdle(ctx, tx, saved);
    return { thread: saved, event: null };
  });
}

/**
 * Closes a thread for good.
 * @throws NotFound
 */
export async function closeThread(ctx: Context, userId: string, threadId: number): Promise<Thread> {
  return change(ctx, userId, async (tx) => {
    const thread = await find(ctx, tx, userId, threadId);
    if (thread.state === 'CLOSED') return { thread, event: null };
    const closed = await ctx.store.threads.update(tx, { ...thread, state: 'CLOSED' });
    const runAt = ctx.clock();
    await ctx.store.jobs.add(tx, userId, { step: 'segment-thread', subject: threadId, runAt });
    await ctx.store.jobs.add(tx, userId, { step: 'extract-facts', subject: 0, runAt });
    await ctx.store.jobs.add(tx, userId, { step: 'trim-events', subject: 0, runAt });
    const decision = 'thread.close (by hand)';
    return { thread: closed, event: { kind: 'THREAD_CLOSED', threadId, decision } };
  });
}

async function change(
  ctx: Context,
  userId: string,
  work: (tx: Tx) => Promise<{ thread: Thread; event: EventDraft | null }>,
): Promise<Thread> {
  const thread = await ctx.db.asUser(
    userId,
    async (tx) => {
      const result = await work(tx);
      if (result.event) await ctx.store.events.append(tx, userId, result.event, ctx.clock());
      return result.thread;
    },
    { lock: true },
  );
  ctx.announcer.announce(userId);
  return thread;
}

async function find(ctx: Context, tx: Tx, userId: string, threadId: number): Promise<Thread> {
  const thread = await ctx.store.threads.find(tx, userId, threadId);
  if (!thread) throw new NotFound('thread');
  return thread;
}

const wakeWhenIdle = (ctx: Context, tx: Tx, thread: Thread) =>
  ctx.store.jobs.add(tx, thread.userId, {
    step: 'idle-thread',
    subject: thread.id,
    runAt: thread.idleAt,
  });
