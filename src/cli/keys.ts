import { Command, Option } from 'commander';
import { loadConfig } from '../config/config.ts';
import { ACCESS, type Access } from '../domain/core/viewer.ts';
import { countOrNoneOption } from './support/count-option.ts';
import { type KeyRing, type ListedKey, openKeyRing } from './support/key-ring.ts';
import { runCommand } from './support/run-command.ts';

const program = new Command('npm run keys --')
  .description(
    'Manages API keys, with which an application acts for all users or for one: in the database of DATABASE_URL or ' +
      'DATA_DIR, or through the running server that uses that database.',
  )
  .addOption(
    new Option(
      '--api-key <key>',
      'an API key for the running server, if it requires credentials',
    ).env('MNEMOGRAPH_API_KEY'),
  )
  .showHelpAfterError();

program
  .command('create')
  .description(
    'create a key; once the first key exists, the server requires credentials from every caller',
  )
  .argument('<name>', 'a label for the purpose of the key, such as "billing bot"')
  .option('--user <id>', 'the only user whose memory the key opens; all users by default')
  .addOption(
    new Option(
      '--access <access>',
      'READ: only read; WRITE: not forget or manage keys; ALL: everything',
    )
      .choices(ACCESS)
      .default('ALL'),
  )
  .action((name: string, { user, access }: { user?: string; access: Access }) =>
    withKeys(async (keys) => {
      const { key, secret } = await keys.create(name, { userId: user ?? null, access });
      console.log(`Created the key "${key.name}" (${key.id}): ${grantOf(key)}.`);
      showSecret(secret);
    }),
  );

program
  .command('list')
  .description('list all keys')
  .action(() =>
    withKeys(async (keys) => {
      const all = await keys.list();
      if (all.length === 0) {
        console.log('There are no keys. On 127.0.0.1 the server needs no credentials.');
      }
      for (const key of all) console.log(line(key));
    }),
  );

program
  .command('rotate')
  .description('replace the secret of a key')
  .argument('<id>', 'the id of the key, as shown by "list"')
  .option(
    '--grace <minutes>',
    'minutes for which the old secret is still accepted',
    countOrNoneOption,
    0,
  )
  .action((id: string, { grace }: { grace: number }) =>
    withKeys(async (keys) => {
      const { key, secret } = await keys.rotate(id, grace);
      const state = grace === 0 ? 'no longer works' : `works for ${grace} more minutes`;
      console.log(`The old secret of the key "${key.name}" (${id}) ${state}.`);
      showSecret(secret);
    }),
  );

program
  .command('revoke')
  .description('revoke a key at once and for good')
  .argument('<id>', 'the id of the key, as shown by "list"')
  .action((id: string) =>
    withKeys(async (keys) => {
      const { name } = await keys.revoke(id);
      console.log(`Revoked the key "${name}" (${id}).`);
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

function showSecret(secret: string): void {
  console.log(`The secret is shown only once:\n\n  ${secret}\n`);
  console.log('Send it as "Authorization: Bearer <secret>".');
}

function line(key: ListedKey): string {
  const { id, name, createdAt, revokedAt, lastUsedAt } = key;
  const state = revokedAt ? `revoked ${minute(revokedAt)}` : 'valid';
  const use = lastUsedAt ? `last used ${minute(lastUsedAt)}` : 'never used';
  return `${id}  ${minute(createdAt)}  ${state.padEnd(24)}  ${use.padEnd(26)}  ${name}  (${grantOf(key)})`;
}

function grantOf({ userId, access }: ListedKey): string {
  return `${access}, ${userId === null ? 'all users' : `user "${userId}"`}`;
}

function minute(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ');
}

await program.parseAsync();
