import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { migrationNames } from '../../db/core/migrate.ts';
import { freeBytesOf } from '../../db/embedded/disk-space.ts';
import { holderOf } from '../../db/embedded/folder-lock.ts';
import { schemaOf } from '../../db/embedded/folder-schema.ts';
import { type Finding, findingsAbout } from './finding.ts';

const { ok, warning, problem } = findingsAbout('data folder');

/** Looks at the folder of the embedded database from outside: the database itself is not opened. */
export async function checkFolder({ database }: Config): Promise<Finding[]> {
  if (database.folder === null) {
    return [warning('DATA_DIR is "memory"', 'name a folder if memories are to outlive the server')];
  }
  const folder = resolve(database.folder);
  const found = await stat(folder).catch(() => null);
  if (found && !found.isDirectory()) {
    return [problem(`${folder} is not a folder`, 'set DATA_DIR to a folder')];
  }
  const place = found ? folder : await nearestFolder(folder);
  const room = await roomIn(place, database.reserveBytes);
  const isWritable = await access(place, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) {
    const advice = 'give the user of the server the right to write there';
    return [problem(`${place} cannot be written to`, advice), room];
  }
  if (!found) return [ok(`${folder} does not exist yet and will be created`), room];
  return [await userOf(folder), await schemaFinding(folder), room];
}

/** The nearest folder above one that does not exist. */
async function nearestFolder(folder: string): Promise<string> {
  const parent = dirname(folder);
  const found = await stat(parent).catch(() => null);
  return found || parent === folder ? parent : nearestFolder(parent);
}

async function roomIn(folder: string, reserveBytes: number): Promise<Finding> {
  const free = await freeBytesOf(folder);
  if (free === null) return ok('the file system does not say how much space is free');
  const message = `${inMB(free)} MB are free, and ${inMB(reserveBytes)} MB (DISK_RESERVE_MB) must stay free`;
  if (free < reserveBytes) {
    return problem(message, 'free some space: until then nothing can be stored');
  }
  // Rewriting tables after a forget takes a copy of the largest one.
  return free < 2 * reserveBytes ? warning(message, 'free some space soon') : ok(message);
}

const inMB = (bytes: number) => Math.floor(bytes / 1024 / 1024);

async function userOf(folder: string): Promise<Finding> {
  const holder = await holderOf(folder);
  if (!holder) return ok(`${folder} is writable, and no process uses it`);
  const process = holder.pid === null ? 'a process' : `process ${holder.pid}`;
  const host = holder.host === null || holder.host === hostname() ? '' : ` on ${holder.host}`;
  return ok(`${folder} is writable, and in use by ${process}${host}`);
}

async function schemaFinding(folder: string): Promise<Finding> {
  const schema = await schemaOf(folder);
  if (!schema) return ok('the version of its schema is not noted yet');
  const { version, migration } = schema;
  const newest = (await migrationNames()).at(-1) ?? '';
  if (migration > newest) {
    const message = `it was used by the newer version ${version} (migration ${migration})`;
    return problem(message, 'start that version, or choose another DATA_DIR');
  }
  return migration === newest
    ? ok(`its schema is that of this version (migration ${migration})`)
    : ok(`its schema (migration ${migration}) will be migrated when the server starts`);
}
