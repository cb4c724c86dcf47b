import { Command } from 'commander';
import { examine } from './doctor/examine.ts';
import { lineOf } from './doctor/finding.ts';
import { runCommand } from './support/run-command.ts';
import { type ServerOptions, withAddress } from './support/server-options.ts';

// Says what is wrong and what to do, a line each. It only reads: it opens no embedded database, starts nothing and asks no
// model for anything.

const program = withAddress(new Command('mnemograph doctor'))
  .description(
    'Checks the settings of the environment, the database that they name, and the server at --url, by default the ' +
      'one that they would start. Exits with code 1 if there is a problem; warnings do not count.',
  )
  .option('--json', 'print JSON')
  .showHelpAfterError()
  .parse();

await runCommand(async () => {
  const { json, url, apiKey } = program.opts<ServerOptions & { json?: true }>();
  const isNamed = program.getOptionValueSource('url') !== 'default';
  const findings = await examine({ url, isNamed, apiKey });
  const problems = findings.filter(({ level }) => level === 'problem').length;
  if (json) console.log(JSON.stringify({ healthy: problems === 0, findings }, null, 2));
  else for (const finding of findings) console.log(lineOf(finding));
  if (problems > 0) process.exitCode = 1;
});
