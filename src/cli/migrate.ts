import { Command, Option } from 'commander';
import { loadConfig } from '../config/config.ts';
import type { Layout } from '../db/core/layout.ts';
import { migrate } from '../db/core/migrate.ts';
import { startEmbedded } from '../db/embedded/embedded.ts';
import { DataFolderLocked } from '../db/embedded/folder-lock.ts';
import { noteSchema } from '../db/embedded/folder-schema.ts';
import { countOption } from './support/count-option.ts';
import { CommandFailed, runCommand } from './support/run-command.ts';

// Applies pending migrations to the database of DATABASE_URL, or to the embedded database of DATA_DIR. The
// server does the same when it starts; this command is for deployments that migrate in a separate step, and for those
// whose rows are to be in partitions or on several nodes.

type Options = { partitions?: number; distributed?: boolean; shards: number };

const program = new Command('npm run migrate --')
  .description('Applies pending migrations to the database of DATABASE_URL or DATA_DIR.')
  .option(
    '--partitions <count>',
    'put the rows of users into hash partitions by user; for a new PostgreSQL database',
    countOption,
  )
  .addOption(
    new Option(
      '--distributed',
      'distribute the rows of users by user over the nodes of a Citus cluster, of which DATABASE_URL is the coordinator',
    ).conflicts('partitions'),
  )
  .option('--shards <count>', 'with --distributed: the number of shards', countOption, 32)
  .showHelpAfterError()
  .action((options: Options) => runCommand(() => run(layoutOf(options))));

await program.parseAsync();

function layoutOf({ partitions, distributed, shards }: Options): Layout | undefined {
  if (partitions) return { kind: 'partitions', count: partitions };
  return distributed ? { kind: 'distributed', shards } : undefined;
}

async function run(layout: Layout | undefined): Promise<void> {
  const { database, version } = loadConfig();
  const { url, folder } = database;
  if (url !== null) {
    return report(await migrate({ connectionString: url }, layout), withoutPassword(url));
  }
  if (layout) {
    throw new CommandFailed('Partitions and shards need a PostgreSQL server: set DATABASE_URL.');
  }
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
}

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
