import { cpSync, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { PACKAGE_FOLDER } from '../../shared/code-folder.ts';
import { migrationsHash } from '../core/migrate.ts';

const DIST = fileURLToPath(new URL('dist/', PACKAGE_FOLDER));

const NAME = 'embedded-image-';

/** Returns the folder of the image for the current prisma/migrations. */
const imageFolder = async (): Promise<string> =>
  join(DIST, `${NAME}${(await migrationsHash()).slice(0, 12)}`);

/** The image as a compressed archive, from which a database in memory starts. */
const archiveFile = (image: string): string => `${image}.tar.gz`;

/**
 * The file that lists the folders of an image: PostgreSQL needs the empty ones too, and a package keeps none. It is written
 * when all else is complete.
 */
const foldersFile = (image: string): string => `${image}.folders.json`;

/** Returns the path of the archive; null if no image was built for the current prisma/migrations. */
export async function imageArchive(): Promise<string | null> {
  const image = await imageFolder();
  const isBuilt = existsSync(foldersFile(image)) && existsSync(archiveFile(image));
  return isBuilt ? archiveFile(image) : null;
}

/**
 * Copies the image, an initialised and migrated database, to a folder that does not exist yet. This takes a tenth of the
 * time of creating a database.
 * @returns false if no image was built for the current prisma/migrations
 */
export async function copyImage(folder: string): Promise<boolean> {
  const image = await imageFolder();
  if (!existsSync(foldersFile(image))) return false;
  // Nothing else can be done meanwhile, and without waiting for each file it takes a third of the time.
  cpSync(image, folder, { recursive: true });
  const folders = JSON.parse(await readFile(foldersFile(image), 'utf8')) as string[];
  for (const name of folders) await mkdir(join(folder, name), { recursive: true });
  // A package does not keep who may read a folder either.
  await chmod(folder, 0o700);
  return true;
}

/**
 * Builds the image, unless there is one for the current prisma/migrations, and removes those for others: a package would hold them.
 * @param make creates a database in `folder`/postgres, and an uncompressed archive of one in `folder`/postgres.tar
 */
export async function buildImage(make: (folder: string) => Promise<void>): Promise<void> {
  const image = await imageFolder();
  const all = [image, archiveFile(image), foldersFile(image)];
  for (const name of await readdir(DIST)) {
    const path = join(DIST, name);
    if (name.startsWith(NAME) && !all.includes(path)) await rm(path, { recursive: true });
  }
  if (all.every((path) => existsSync(path))) return;
  for (const path of all) await rm(path, { recursive: true, force: true });
  const draft = await mkdtemp(join(DIST, 'draft-'));
  try {
    await make(draft);
    const folders = await foldersIn(join(draft, 'postgres'));
    await rename(join(draft, 'postgres'), image);
    await writeFile(archiveFile(image), gzipSync(await readFile(join(draft, 'postgres.tar'))));
    await writeFile(foldersFile(image), JSON.stringify(folders));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** The paths of all folders in a folder. */
async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
