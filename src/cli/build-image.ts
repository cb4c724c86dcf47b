import { migrate } from '../db/core/migrate.ts';
import { startEmbedded } from '../db/embedded/embedded.ts';
import { buildImage } from '../db/embedded/embedded-image.ts';

// Makes the database that a first start of the embedded server copies.

await buildImage(async (folder) => {
  await using embedded = await startEmbedded({ folder, flush: false });
  await migrate(embedded.connection);
});
