import { stat } from 'node:fs/promises';
import { createMemory } from '@mnemograph/client';
import { Command, Option } from 'commander';
import { gather } from './import/gather.ts';
import { type Format, readFile } from './import/read-file.ts';
import { type SendOptions, send, type Tally } from './import/send.ts';
import { sendArchive } from './support/archive-over-http.ts';
import { showProgress } from './support/progress.ts';
import { CommandFailed, runCommand } from './support/run-command.ts';
import { type ServerOptions, withServer } from './support/server-options.ts';

// Imports past conversations, or an archive, into a running server. An import of conversations that was interrupted
// continues when the same command is run again.

type ImportOptions = ServerOptions & {
  self: string;
  channel?: string;
  others: SendOptions['others'];
};

/** How many unreadable lines are shown. */
const MOST_SHOWN = 5;

const program = new Command('mnemograph import')
  .description('Imports past conversations, or an archive, into a running server.')
  .showHelpAfterError();

const conversations = (format: Format, description: string) =>
  withServer(program.command(format))
    .description(description)
    .argument('<files...>', 'the files to import, such as conversations.json')
    .option('--self <name>', 'the name of the user in the turns', 'User')
    .option('--channel <name>', 'the channel on which the conversations took place', format)
    .addOption(
      new Option('--others <role>', 'the role of the other speakers')
        .choices(['ASSISTANT', 'OTHER'])
        .default('ASSISTANT'),
    )
    .action((files: string[], options: ImportOptions) =>
      runCommand(() => importFiles(format, files, options)),
    );

conversations('chatgpt', "imports conversations.json of ChatGPT's data export");
conversations('claude', "imports conversations.json of Claude's data export");
conversations(
  'jsonl',
  'imports lines of JSON with the fields "text", "occurredAt", "role" or "speaker", "conversation" and "title"',
);

withServer(program.command('archive'))
  .description('restores a memory from an archive, for a user whose memory is empty')
  .argument('<file>', 'an archive written by "npm run export"')
  .action((file: string, options: ServerOptions) =>
    runCommand(async () => {
      using progress = showProgress('bytes', await sizeOf(file));
      const imported = await sendArchive(file, options, progress.set);
      console.log(
        `Imported ${imported.turn} turns, ${imported.episode} episodes, ${imported.fact} facts.`,
      );
    }),
  );

async function importFiles(format: Format, files: string[], options: ImportOptions): Promise<void> {
  const { url, apiKey, self, others, user, channel = format } = options;
  const unbound = createMemory({ url, apiKey });
  const memory = user === undefined ? unbound : unbound.as(user);
  const tally: Tally = {
    conversations: 0,
    stored: 0,
    alreadyStored: 0,
    forgotten: 0,
    skipped: {},
    refused: [],
  };
  const unreadable: string[] = [];
  for (const file of files) {
    using progress = showProgress('bytes', await sizeOf(file));
    const onUnreadable = (problem: string) =>
      void unreadable.push(files.length > 1 ? `${file}: ${problem}` : problem);
    const read = readFile(file, { format, self, now: new Date(), onUnreadable }, progress.set);
    await send(gather(read, tally.skipped), { memory, channel, others }, tally).catch(
      explainInterruption,
    );
  }
  report(tally);
  reportUnreadable(unreadable);
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new CommandFailed(`There is no file ${file}.`);
    throw new CommandFailed(`Cannot read ${file}: ${message}.`);
  }
}

function explainInterruption(error: unknown): never {
  if (error instanceof CommandFailed) throw error;
  const { message } = error as Error;
  throw new CommandFailed(
    `${message}\nRun the same command again to continue. Turns that are already stored are not stored twice.`,
  );
}

function report({
  conversations: count,
  stored,
  alreadyStored,
  forgotten,
  skipped,
  refused,
}: Tally) {
  console.log(
    `${count} conversations: ${stored} turns stored, ${alreadyStored} already stored, ${forgotten} not stored because they were forgotten.`,
  );
  for (const [reason, times] of Object.entries(skipped))
    console.log(`Skipped: ${times} ${reason}.`);
  for (const message of refused) console.error(`Refused: ${message}`);
  if (refused.length > 0) process.exitCode = 1;
}

/** Says how many lines could not be read, and of the first few what is wrong with them. */
function reportUnreadable(problems: readonly string[]): void {
  if (problems.length === 0) return;
  for (const problem of problems.slice(0, MOST_SHOWN)) console.error(`Not read: ${problem}.`);
  const others = problems.length - MOST_SHOWN;
  if (others > 0) console.error(`Not read: ${others} more lines.`);
  process.exitCode = 1;
}

await program.parseAsync();
