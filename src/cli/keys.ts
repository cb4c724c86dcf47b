import { Command, Option } from 'commander';
import { loadConfig } from '../config/config.ts';
import { countOption } from './support/count-option.ts';
import { type KeyRing, type ListedKey, openKeyRing } from './support/key-ring.ts';
import { runCommand } from './support/run-command.ts';

const program = new Command('npm run keys --')
  .description(
    'Manages API keys, with which an application acts for any user: in the database of DATABASE_URL or DATA_DIR, or through the server that uses it.',
  )
  .addOption(
    new Option(
      '--api-key <key>',
      'an API key for the running server, if it demands credentials',
    ).env('MNEMOGRAPH_API_KEY'),
  )
  .showHelpAfterError();

program
  .command('create')
  .description(
    'create a key; once the first key exists, the server demands credentials from everybody',
  )
  .argument('<name>', 'a label that says what the key is for, such as "billing bot"')
  .action((name: string) =>
    withKeys(async (keys) => {
      const { key, secret } = await keys.create(name);
      console.log(`Made the key "${key.name}" (${key.id}).`);
      tell(secret);
    }),
  );

program
  .command('list')
  .description('list all keys')
  .action(() =>
    withKeys(async (keys) => {
      const all = await keys.list();
      if (all.length === 0) console.log('There is no key. On 127.0.0.1 the server is open.');
      for (const key of all) console.log(line(key));
    }),
  );

program
  .command('rotate')
  .description('replace the secret of a key')
  .argument('<id>', 'the id, as "list" shows it')
  .option('--grace <minutes>', 'minutes for which the old secret is still accepted', countOption, 0)
  .action((id: string, { grace }: { grace: number }) =>
    withKeys(async (keys) => {
      const { key, secret } = await keys.rotate(id, grace);
      const old = grace === 0 ? 'ended at once' : `works for ${grace} more minutes`;
      console.log(`The old secret of the key "${key.name}" (${id}) ${old}.`);
      tell(secret);
    }),
  );

program
  .command('revoke')
  .description('revoke a key at once and for good')
  .argument('<id>', 'the id, as "list" shows it')
  .action((id: string) =>
    withKeys(async (keys) => {
      const { name } = await keys.revoke(id);
      console.log(`The key "${name}" (${id}) does not work any more.`);
    }),
  );

function withKeys(work: (keys: KeyRing) => Promise<void>): Promise<void> {
  return runCommand(async () => {
    const { apiKey } = program.opts<{ apiKey?: string }>();
    await using keys = await openKeyRing(loadConfig(), apiKey ?? null);
    await work(keys);
    if (keys.server) console.log(`(through the running server at ${keys.server})`);
  });
}

function tell(secret: string): void {
  console.log(`Its secret is shown this once:\n\n  ${secret}\n`);
  console.log('Send it as "Authorization: Bearer <secret>".');
}

function line({ id, name, createdAt, revokedAt }: ListedKey): string {
  const state = revokedAt ? `revoked ${minute(revokedAt)}` : 'valid';
  return `${id}  ${minute(createdAt)}  ${state.padEnd(24)}  ${name}`;
}

function minute(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ');
}

await program.parseAsync();
