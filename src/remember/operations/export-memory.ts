import { createHash, randomBytes } from 'node:crypto';
import type { MemoryContext, Needs } from '../../context.ts';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchiveHeader,
  type ArchiveTrailer,
} from '../../domain/archive/archive.ts';
import { NotFound } from '../../domain/core/errors.ts';
import { MINUTE } from '../../shared/duration.ts';
import { createSpool, type Spool } from './spool.ts';

/**
 * Writes a snapshot of a user's whole memory to a temporary file of JSON lines (docs/archive.md). A client that downloads it
 * slowly blocks nothing, because the transaction is over.
 * @throws NotFound if the user does not exist
 */
export async function exportMemory(
  ctx: MemoryContext & Needs<'logger'>,
  userId: string,
): Promise<Spool> {
  await recordExport(ctx, userId);
  const spool = await createSpool();
  try {
    await fill(ctx, userId, spool);
  } catch (error) {
    await spool[Symbol.asyncDispose]();
    throw error;
  }
  ctx.logger.info({ userId, bytes: spool.size() }, 'memory.export');
  return spool;
}

/** A path from which the archive can be downloaded once without credentials, and until when. */
export type Download = { url: string; expiresAt: Date };

/** How long a download may wait, in milliseconds. */
const PATIENCE = 10 * MINUTE;

/**
 * Makes a path for one download. It has a ticket of 256 random bits, of which only the hash is stored: that of the last one
 * a user was given.
 * @throws NotFound if the user does not exist
 */
export async function offerDownload(ctx: MemoryContext, userId: string): Promise<Download> {
  const ticket = randomBytes(32).toString('base64url');
  const expiresAt = new Date(ctx.clock().getTime() + PATIENCE);
  const isOffered = await ctx
    .memory(userId)
    .write((memory) => memory.downloads.offer(hashOf(ticket), expiresAt), {
      lock: false,
      useReserve: ctx.db.embedded,
    });
  if (!isOffered) throw new NotFound('user', userId);
  return { url: `/export/${encodeURIComponent(userId)}?ticket=${ticket}`, expiresAt };
}

/** Takes a ticket of a user back. @returns whether it was valid; it no longer is */
export const redeemDownload = (
  ctx: MemoryContext,
  userId: string,
  ticket: string,
): Promise<boolean> =>
  ctx.memory(userId).write((memory) => memory.downloads.redeem(hashOf(ticket), memory.now), {
    lock: false,
    useReserve: ctx.db.embedded,
  });

const hashOf = (ticket: string) => createHash('sha256').update(ticket).digest();

/** Records the export as an event, which is the last one in the archive. */
async function recordExport(ctx: MemoryContext, userId: string): Promise<void> {
  await ctx.memory(userId).write(
    async (memory) => {
      if (!(await memory.archive.exists())) throw new NotFound('user', userId);
      const event = { kind: 'MEMORY_EXPORTED' as const, decision: 'memory.export' };
      memory.record(event);
    },
    { lock: false },
  );
}

async function fill(ctx: MemoryContext, userId: string, spool: Spool): Promise<void> {
  await ctx.memory(userId).read(
    async (memory) => {
      const counts = await memory.archive.count();
      const header: ArchiveHeader = {
        format: ARCHIVE_FORMAT,
        version: ARCHIVE_VERSION,
        user: userId,
        exported_at: ctx.clock().toISOString(),
        counts,
      };
      await spool.append([JSON.stringify(header)]);
      for await (const part of memory.archive.lines()) await spool.append(part);
      const trailer: ArchiveTrailer = { type: 'end', counts, sha256: spool.sha256() };
      await spool.append([JSON.stringify(trailer)]);
    },
    { snapshot: true },
  );
}
