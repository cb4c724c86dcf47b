import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { ArchiveCounts } from '../../domain/archive/archive.ts';
import type { LineCheck } from '../../domain/archive/archive-lines.ts';
import { InvalidArchive, MemoryNotEmpty } from '../../domain/core/errors.ts';
import { splitLines } from './split-lines.ts';
import { createSpool, type Spool } from './spool.ts';

/** Characters of rows that are stored by one statement. */
const PART = 1_000_000;

/**
 * Brings a memory back from an archive, under any name, into a user that holds nothing: all of it or nothing. What the
 * archive does not hold (indexes, vectors) is made again in the background.
 * @throws InvalidArchive, MemoryNotEmpty
 */
export async function importArchive(
  ctx: Context,
  userId: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<ArchiveCounts> {
  await using spool = await createSpool();
  const counts = await receive(
    splitLines(bytes),
    spool,
    ctx.deployment().archive.lineCheck(ctx.clock()),
  );
  await ctx.memory(userId).write(async (memory) => {
    if (!(await memory.archive.isEmpty())) throw new MemoryNotEmpty(userId);
    await memory.archive.write(spool.parts(PART));
    const decision = `memory.import (${counts.turn} turns, ${counts.fact} facts)`;
    memory.record({ kind: 'MEMORY_IMPORTED', decision });
    await memory.archive.resume(memory.now);
  });
  ctx.logger.info({ userId, ...counts }, 'memory.import');
  return counts;
}

/** Checks every line and keeps the rows, before the database is asked for anything. */
async function receive(
  lines: AsyncIterable<string>,
  spool: Spool,
  check: LineCheck,
): Promise<ArchiveCounts> {
  const hash = createHash('sha256');
  let part: string[] = [];
  let gathered = 0;
  for await (const line of lines) {
    const checked = check.next(line);
    if (checked.kind === 'end' && checked.sha256 !== hash.copy().digest('hex')) {
      throw new InvalidArchive('it was changed since it was made: the SHA-256 does not match');
    }
    hash.update(`${line}\n`);
    if (checked.kind !== 'row') continue;
    part.push(JSON.stringify(checked.row));
    gathered += line.length;
    if (gathered < PART) continue;
    await spool.append(part);
    part = [];
    gathered = 0;
  }
  await spool.append(part);
  return check.finish();
}
