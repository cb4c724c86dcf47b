import type { Context } from '../../context.ts';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchiveHeader,
  type ArchiveTrailer,
} from '../../domain/archive/archive.ts';
import { NotFound } from '../../domain/core/errors.ts';
import { createSpool, type Spool } from './spool.ts';

/**
 * Writes a snapshot of a user's whole memory to a temporary file of JSON lines (docs/archive.md). A client that downloads it
 * slowly blocks nothing, because the transaction is over.
 * @throws NotFound if the user does not exist
 */
export async function exportMemory(ctx: Context, userId: string): Promise<Spool> {
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

/** The path from which the archive can be downloaded. @throws NotFound */
export async function archiveOf(ctx: Context, userId: string): Promise<{ url: string }> {
  const exists = await ctx.memory(userId).read((memory) => memory.archive.exists());
  if (!exists) throw new NotFound('user', userId);
  return { url: `/export/${encodeURIComponent(userId)}` };
}

/** Records the export as an event, which is the last one in the archive. */
async function recordExport(ctx: Context, userId: string): Promise<void> {
  await ctx.memory(userId).write(
    async (memory) => {
      if (!(await memory.archive.exists())) throw new NotFound('user', userId);
      const event = { kind: 'MEMORY_EXPORTED' as const, decision: 'memory.export' };
      memory.record(event);
    },
    { lock: false },
  );
}

async function fill(ctx: Context, userId: string, spool: Spool): Promise<void> {
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
