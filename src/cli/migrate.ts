import { loadConfig } from '../config/config.ts';
import { migrate } from '../db/core/migrate.ts';
import { startEmbedded } from '../db/embedded/embedded.ts';
import { DataFolderLocked } from '../db/embedded/folder-lock.ts';
import { CommandFailed, runCommand } from './support/run-command.ts';

// Brings the database of DATABASE_URL, or the embedded one of DATA_DIR, up to date. The server does
// the same when it starts: this is for those who want it as a step of its own.

await runCommand(async () => {
  const { url, folder } = loadConfig().database;
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
  report(await migrate(embedded.connection), folder);
});

function report(applied: string[], database: string): void {
  for (const name of applied) console.log(`Applied ${name}`);
  console.log(
    applied.length > 0
      ? `${database} is up to date now.`
      : `${database} was up to date: nothing to apply.`,
  );
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  shown.search = '';
  return shown.href;
}
