import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../db/core/migrate.ts';
import { saveSnapshot, startEmbedded } from '../db/embedded/embedded.ts';
import { buildImage } from '../db/embedded/embedded-image.ts';

// Builds the image of a migrated database, which the embedded server copies at its first start, and the archive of it from which
// a database in memory starts.

await buildImage(async (folder) => {
  await saveSnapshot(join(folder, 'postgres.tar'), prepare);
  await using embedded = await startEmbedded({ folder, flush: false });
  await prepare(embedded.connection);
});

async function prepare(connection: pg.PoolConfig): Promise<void> {
  await migrate(connection);
  await dropTemplates(connection);
}

/** Drops the databases from which PostgreSQL makes others. Nobody does here, and they are two thirds of the files. */
async function dropTemplates(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query('UPDATE pg_database SET datistemplate = false');
  await client.query('DROP DATABASE template0');
  await client.query('DROP DATABASE template1');
  await client.end();
}
