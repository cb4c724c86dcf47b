import { z } from 'zod';
import type { MemoryContext, Needs } from '../../context.ts';
import type { ThreadRow as Thread } from '../../db/threads/threads.ts';
import { NotFound } from '../../domain/core/errors.ts';
import type { EventDraft } from '../../domain/core/event.ts';
import { parse } from '../../domain/core/parse.ts';
import { idleAt, timeoutOf } from '../../domain/threads/thread.ts';
import { channelRule } from '../../domain/turns/channel.ts';
import { channelSchema, timeoutSchema, titleSchema } from '../../domain/turns/turn.ts';
import type { Memory } from '../../memory.ts';

const openSchema = z.object({
  channel: channelSchema,
  title: titleSchema.nullish(),
  inactivityTimeoutMinutes: timeoutSchema.nullish(),
});

/**
 * Opens an explicit thread, before its first turn.
 * @throws InvalidInput
 */
export async function openThread(
  ctx: MemoryContext,
  userId: string,
  input: unknown,
): Promise<Thread> {
  const { channel, title, inactivityTimeoutMinutes } = parse(openSchema, input, null);
  const now = ctx.clock();
  const timeout = inactivityTimeoutMinutes ?? ctx.config.threads.explicitTimeoutMinutes;
  return change(ctx, userId, async (memory) => {
    const thread = await memory.threads.open({
      title: title ?? null,
      channels: [channel],
      inactivityTimeoutMinutes: inactivityTimeoutMinutes ?? null,
      at: now,
      idleAt: idleAt(now, timeout),
    });
    memory.changed('threadActive', thread.id, thread.idleAt);
    const decision = 'thread.open (by hand)';
    return { thread, event: { kind: 'THREAD_OPENED', threadId: thread.id, decision } };
  });
}

const updateSchema = z.object({
  title: titleSchema.nullish(),
  inactivityTimeoutMinutes: timeoutSchema.nullish(),
});

/**
 * Changes a thread's title or timeout; undefined leaves a value unchanged, null resets it to the default.
 * @throws InvalidInput, NotFound
 */
export async function updateThread(
  ctx: MemoryContext,
  userId: string,
  { threadId, input }: { threadId: number; input: unknown },
): Promise<Thread> {
  const changes = parse(updateSchema, input, null);
  return change(ctx, userId, async (memory) => {
    const thread = await find(memory, threadId);
    const next = {
      ...thread,
      ...(changes.title !== undefined ? { title: changes.title } : {}),
    };
    if (changes.inactivityTimeoutMinutes !== undefined) {
      next.inactivityTimeoutMinutes = changes.inactivityTimeoutMinutes;
      next.idleAt = idleAt(thread.lastActivityAt, await timeoutIn(ctx, memory, next));
    }
    const saved = await memory.threads.update(next);
    memory.changed('threadActive', saved.id, saved.idleAt);
    return { thread: saved, event: null };
  });
}

/** The timeout in force for a thread, in minutes (requirements 2.7): for an implicit one by the channel of its last turn. */
async function timeoutIn(
  { config }: Needs<'config'>,
  memory: Memory,
  thread: Thread,
): Promise<number> {
  const { explicitTimeoutMinutes, implicitTimeoutMinutes, channelRules } = config.threads;
  const last = thread.explicit ? null : await memory.threads.lastChannel(thread.id);
  if (!last) return thread.inactivityTimeoutMinutes ?? explicitTimeoutMinutes;
  const own = await memory.settings.channelRuleOf(last.channel);
  const rule = channelRule(last.channel, own, channelRules);
  return timeoutOf(thread, {
    user: last.userTimeout,
    channel: rule.inactivityTimeoutMinutes,
    default: implicitTimeoutMinutes,
  });
}

/**
 * Closes a thread for good.
 * @throws NotFound
 */
export async function closeThread(
  ctx: MemoryContext,
  userId: string,
  threadId: number,
): Promise<Thread> {
  return change(ctx, userId, async (memory) => {
    const thread = await find(memory, threadId);
    if (thread.state === 'CLOSED') return { thread, event: null };
    const closed = await memory.threads.update({ ...thread, state: 'CLOSED' });
    memory.changed('threadOver', threadId);
    const decision = 'thread.close (by hand)';
    return { thread: closed, event: { kind: 'THREAD_CLOSED', threadId, decision } };
  });
}

function change(
  ctx: MemoryContext,
  userId: string,
  work: (memory: Memory) => Promise<{ thread: Thread; event: EventDraft | null }>,
): Promise<Thread> {
  return ctx.memory(userId).write(
    async (memory) => {
      const { thread, event } = await work(memory);
      if (event) memory.record(event);
      return thread;
    },
    { request: 'manageThread' },
  );
}

async function find(memory: Memory, threadId: number): Promise<Thread> {
  const thread = await memory.threads.find(threadId);
  if (!thread) throw new NotFound('thread');
  return thread;
}
