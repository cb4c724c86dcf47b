import { loadConfig } from '../config/config.ts';
import { migrate } from '../db/core/migrate.ts';
import { startEmbedded } from '../db/embedded/embedded.ts';
import { DataFolderLocked } from '../db/embedded/folder-lock.ts';
import { noteSchema } from '../db/embedded/folder-schema.ts';
import { CommandFailed, runCommand } from './support/run-command.ts';

// Applies pending migrations to the database of DATABASE_URL, or to the embedded database of DATA_DIR. The
// server does the same when it starts; this command is for deployments that migrate in a separate step.

await runCommand(async () => {
  const { database, version } = loadConfig();
  const { url, folder } = database;
  if (url !== null) return report(await migrate({ connectionString: url }), withoutPassword(url));
  if (folder === null) {
    throw new CommandFailed('DATA_DIR is "memory": there is nothing to migrate.');
  }
  await using embedded = await startEmbedded({ folder }).catch((error: unknown) => {
    if (!(error instanceof DataFolderLocked)) throw error;
    throw new CommandFailed(
      `${error.message} A server applies the pending migrations when it starts.`,
    );
  });
  const applied = await migrate(embedded.connection);
  await noteSchema(folder, version);
  report(applied, folder);
});

function report(applied: string[], database: string): void {
  for (const name of applied) console.log(`Applied ${name}`);
  console.log(
    applied.length > 0 ? `${database} is now up to date.` : `${database} was already up to date.`,
  );
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  shown.search = '';
  return shown.href;
}
