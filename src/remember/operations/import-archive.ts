import { createHash } from 'node:crypto';
import type { MemoryContext, Needs } from '../../context.ts';
import type { ArchiveCounts } from '../../domain/archive/archive.ts';
import type { LineCheck } from '../../domain/archive/archive-lines.ts';
import { InvalidArchive, MemoryNotEmpty } from '../../domain/core/errors.ts';
import { splitLines } from './split-lines.ts';
import { createSpool, type Spool } from './spool.ts';

/** About how many characters of rows one statement stores. */
const PART = 1_000_000;

/**
 * Restores a memory from an archive into a user without one, whatever the user's name: all of it or nothing. What the
 * archive does not contain (indexes, vectors) is made again in the background.
 * @throws InvalidArchive, MemoryNotEmpty
 */
export async function importArchive(
  ctx: MemoryContext & Needs<'deployment' | 'logger'>,
  userId: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<ArchiveCounts> {
  await using spool = await createSpool();
  const counts = await receive(
    splitLines(bytes),
    spool,
    ctx.deployment().archive.lineCheck(ctx.clock()),
  );
  await ctx.memory(userId).write(
    async (memory) => {
      if (!(await memory.archive.isEmpty())) throw new MemoryNotEmpty(userId);
      await memory.archive.write(spool.parts(PART));
      const decision = `memory.import (${counts.turn} turns, ${counts.fact} facts)`;
      memory.record({ kind: 'MEMORY_IMPORTED', decision });
      await memory.archive.resume(memory.now);
    },
    { request: 'importArchive' },
  );
  ctx.logger.info({ userId, ...counts }, 'memory.import');
  return counts;
}

/** Checks every line and spools the rows, before anything is written to the database. */
async function receive(
  lines: AsyncIterable<string>,
  spool: Spool,
  check: LineCheck,
): Promise<ArchiveCounts> {
  const hash = createHash('sha256');
  let part: string[] = [];
  let characters = 0;
  for await (const line of lines) {
    const checked = check.next(line);
    if (checked.kind === 'end' && checked.sha256 !== hash.copy().digest('hex')) {
      throw new InvalidArchive('it was changed since it was made: the SHA-256 does not match');
    }
    hash.update(`${line}\n`);
    if (checked.kind !== 'row') continue;
    part.push(JSON.stringify(checked.row));
    characters += line.length;
    if (characters < PART) continue;
    await spool.append(part);
    part = [];
    characters = 0;
  }
  await spool.append(part);
  return check.finish();
}
