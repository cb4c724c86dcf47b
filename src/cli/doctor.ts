import { Command } from 'commander';
import { checkSettings } from '../config/check-settings.ts';
import { checkFolder } from './doctor/check-folder.ts';
import { checkModels } from './doctor/check-models.ts';
import { checkNode } from './doctor/check-node.ts';
import { checkPostgres } from './doctor/check-postgres.ts';
import { checkServer } from './doctor/check-server.ts';
import { type Finding, findingsAbout, lineOf } from './doctor/finding.ts';
import { addressOf } from './support/key-ring.ts';
import { runCommand } from './support/run-command.ts';
import { type ServerOptions, withServer } from './support/server-options.ts';

// Says what is wrong and what to do, a line each. It only reads: it opens no embedded database, starts nothing and asks no
// model for anything.

const program = withServer(new Command('mnemograph doctor'))
  .description(
    'Checks the settings of the environment, the database that they name, and the server at --url, by default the ' +
      'one that they would start. Exits with code 1 if there is a problem; warnings do not count.',
  )
  .option('--json', 'print JSON')
  .showHelpAfterError()
  .parse();

await runCommand(async () => {
  const { json, ...options } = program.opts<ServerOptions & { json?: true }>();
  const findings = await examine(options);
  const problems = findings.filter(({ level }) => level === 'problem').length;
  if (json) console.log(JSON.stringify({ healthy: problems === 0, findings }, null, 2));
  else for (const finding of findings) console.log(lineOf(finding));
  if (problems > 0) process.exitCode = 1;
});

async function examine({ url, apiKey }: ServerOptions): Promise<Finding[]> {
  const { config, notes } = checkSettings();
  const about = findingsAbout('settings');
  const settings = notes.map(({ level, message, advice }) => about[level](message, advice));
  if (settings.length === 0) settings.push(about.ok('all of them make sense'));
  const isNamed = program.getOptionValueSource('url') !== 'default';
  const database = config?.database.url ?? null;
  return [
    checkNode(process.versions.node),
    ...settings,
    ...(config && database === null ? await checkFolder(config) : []),
    ...(config && database !== null ? await checkPostgres(database, config) : []),
    ...(config ? await checkModels(config) : []),
    ...(await checkServer({
      url: isNamed || !config ? url : addressOf(config),
      apiKey,
      isNamed,
      config: isNamed ? null : config,
    })),
  ];
}
