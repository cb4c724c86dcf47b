import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrationNames } from '../core/migrate.ts';

/** Which version used a data folder last, and its newest migration: readable without opening the database. */
export type FolderSchema = { version: string; migration: string };

const FILE = 'schema.json';

/** Notes in a data folder that this version has migrated its database. */
export async function noteSchema(folder: string, version: string): Promise<void> {
  const migration = (await migrationNames()).at(-1) ?? '';
  const schema: FolderSchema = { version, migration };
  await writeFile(join(folder, FILE), `${JSON.stringify(schema)}\n`);
}

/** Reads the note; null if there is none. */
export async function schemaOf(folder: string): Promise<FolderSchema | null> {
  try {
    return JSON.parse(await readFile(join(folder, FILE), 'utf8')) as FolderSchema;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
