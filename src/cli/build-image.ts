import { migrate } from '../db/core/migrate.ts';
import { startEmbedded } from '../db/embedded/embedded.ts';
import { buildImage } from '../db/embedded/embedded-image.ts';

// Builds the image of a migrated database, which the embedded server copies at its first start.

await buildImage(async (folder) => {
  await using embedded = await startEmbedded({ folder, flush: false });
  await migrate(embedded.connection);
});
