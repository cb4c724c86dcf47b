import { startEmbedded } from '../db/embedded.ts';
import { buildImage } from '../db/embedded-image.ts';
import { migrate } from '../db/migrate.ts';

// Makes the database that a first start of the embedded server copies.

await buildImage(async (folder) => {
  await using embedded = await startEmbedded({ folder, flush: false });
  await migrate(embedded.connection);
});
