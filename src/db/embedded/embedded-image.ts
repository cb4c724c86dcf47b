import { existsSync } from 'node:fs';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrationsHash } from '../core/migrate.ts';

const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url));

/** Returns the folder of the image for the current prisma/migrations. */
const imageFolder = async (): Promise<string> =>
  join(DIST, `embedded-image-${(await migrationsHash()).slice(0, 12)}`);

/**
 * Copies the image, an initialised and migrated database, to a folder that does not exist yet. This takes a tenth of the
 * time of creating a database.
 * @returns false if no image was built for the current prisma/migrations
 */
export async function copyImage(folder: string): Promise<boolean> {
  const image = await imageFolder();
  if (!existsSync(image)) return false;
  await cp(image, folder, { recursive: true });
  return true;
}

/**
 * Builds the image, unless there is one for the current prisma/migrations.
 * @param make creates a database in `folder`/postgres
 */
export async function buildImage(make: (folder: string) => Promise<void>): Promise<void> {
  const image = await imageFolder();
  if (existsSync(image)) return;
  const draft = await mkdtemp(join(DIST, 'draft-'));
  try {
    await make(draft);
    await rename(join(draft, 'postgres'), image);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
