import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { MemoryContext, Needs, RememberContext } from '../../context.ts';
import { IdempotencyConflict, InvalidInput } from '../../domain/core/errors.ts';
import { giveWay } from '../../domain/core/give-way.ts';
import { parse } from '../../domain/core/parse.ts';
import {
  channelSchema,
  importedTurnSchema,
  MAX_IMPORT,
  nameSchema,
  timeIssues,
  titleSchema,
} from '../../domain/turns/turn.ts';
import type { RememberedTurn } from './outcome.ts';
import { hashKey } from './receive.ts';
import { remember } from './remember.ts';

const conversationSchema = z.object({
  id: nameSchema,
  title: titleSchema.nullish().transform((title) => title ?? null),
});

const importSchema = z.object({
  self: nameSchema,
  others: z.enum(['OTHER', 'ASSISTANT'], 'must be OTHER or ASSISTANT').default('OTHER'),
  channel: channelSchema.default('import'),
  conversation: conversationSchema.nullish(),
  turns: z
    .array(importedTurnSchema)
    .min(1, 'must hold at least one turn')
    .max(
      MAX_IMPORT,
      `must hold at most ${MAX_IMPORT.toLocaleString('en')} turns; send more in further calls`,
    ),
});

type KeyedTurn = z.output<typeof importedTurnSchema> & {
  role: 'USER' | 'OTHER' | 'ASSISTANT';
  idempotencyKey: string;
};

/** After this many turns, about 5 ms of work, others go first. */
const PAUSE = 1_000;
/** Turns in a transaction: few enough that an embedded database, which runs one at a time, is soon free for others. */
const AT_ONCE = 200;

/**
 * Adds each turn's role and its idempotency key, which is made from its place, speaker, time and text, and from how often
 * these came before.
 */
async function keyTurns(input: z.output<typeof importSchema>): Promise<KeyedTurn[]> {
  const { self, others, channel, conversation, turns } = input;
  const place = conversation ? [channel, conversation.id] : [channel];
  const occurrences = new Map<string, number>();
  const keyed: KeyedTurn[] = [];
  for (const [index, turn] of turns.entries()) {
    if (index % PAUSE === 0) await giveWay();
    const content = JSON.stringify([...place, turn.speaker, turn.occurredAt, turn.text]);
    const occurrence = (occurrences.get(content) ?? 0) + 1;
    occurrences.set(content, occurrence);
    const hash = createHash('sha256').update(`${content}${occurrence}`).digest('hex');
    const role = turn.speaker === self ? 'USER' : others;
    keyed.push({ ...turn, role, idempotencyKey: `import:${hash}` });
  }
  return keyed;
}

/**
 * Imports a past conversation, the oldest turn first, in transactions of at most 200 turns. Each turn's idempotency key is
 * made from its speaker, text and time, so that an import can be repeated. A conversation with an id becomes one thread;
 * otherwise time decides about threads.
 *
 * @throws InvalidInput, also if no speaker is named `self`; ThreadClosed
 */
export async function importConversation(
  ctx: MemoryContext &
    Needs<'rules' | 'logger' | 'metrics'> &
    Pick<RememberContext, 'rememberGroups'>,
  userId: string,
  input: object,
): Promise<{ stored: number; alreadyStored: number; forgotten: number }> {
  // GraphQL has just read ten thousand turns without a pause.
  await giveWay();
  const { self, others, channel, conversation, turns } = parse(
    importSchema,
    input,
    'input',
    timeIssues((input as { turns?: unknown }).turns, ctx.clock(), 'input.turns'),
  );
  if (!turns.some((turn) => turn.speaker === self)) {
    const names = [...new Set(turns.map((turn) => turn.speaker))].slice(0, 10).join(', ');
    throw new InvalidInput([
      { path: 'input.self', message: `no speaker has this name; the speakers are ${names}` },
    ]);
  }
  const keyed = await keyTurns({ self, others, channel, conversation, turns });
  keyed.sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime());
  const counts = { STORED: 0, ALREADY_STORED: 0, FORGOTTEN: 0 } satisfies Record<
    RememberedTurn['status'],
    number
  >;
  let threadId = conversation ? await threadOf(ctx, userId, keyed) : null;
  for (let start = 0; start < keyed.length; start += AT_ONCE) {
    const part = keyed.slice(start, start + AT_ONCE);
    const isNew = conversation && threadId === null;
    const newThread = isNew ? { title: conversation.title } : null;
    const results = await remember(ctx, {
      userId,
      threadId,
      isImport: true,
      input: { channel, newThread, turns: part },
    }).catch(asOfImport);
    for (const { status } of results) counts[status] += 1;
    if (isNew) threadId = results.find(({ turn }) => turn)?.turn?.threadId ?? null;
  }
  return {
    stored: counts.STORED,
    alreadyStored: counts.ALREADY_STORED,
    forgotten: counts.FORGOTTEN,
  };
}

/** The thread of a conversation that was imported in part before; null if none was. */
async function threadOf(
  ctx: MemoryContext,
  userId: string,
  turns: readonly { idempotencyKey: string }[],
): Promise<number | null> {
  const hashes: string[] = [];
  for (const [index, { idempotencyKey }] of turns.entries()) {
    if (index % PAUSE === 0) await giveWay();
    hashes.push(hashKey(idempotencyKey));
  }
  return ctx.memory(userId).read((memory) => memory.threads.ofKeys(hashes));
}

/** Turns with the same key have the same speaker, text and time, so a conflict means that their role differs. */
function asOfImport(error: unknown): never {
  if (!(error instanceof IdempotencyConflict)) throw error;
  const message =
    'this conversation was imported before with another "self" or "others": give those, or another channel';
  throw new InvalidInput([{ path: 'input.self', message }]);
}
