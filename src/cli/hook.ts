import { homedir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createMemory, type Memory, MemoryError } from '@mnemograph/client';
import { Command, Option } from 'commander';
import { answerTo } from './hook/answer.ts';
import { type HookEvent, type HookEventKind, readEvent } from './hook/event.ts';
import { progressIn } from './hook/progress.ts';
import { rememberSession } from './hook/remember-session.ts';
import { hash } from './hook/transcript.ts';
import { countOption } from './support/count-option.ts';
import { orFromEnv, type ServerOptions, withServer } from './support/server-options.ts';

// Gives a coding agent a memory. An agent waits for its hooks, so this imports little. Once its options are read, it ends
// soon and with code 0, whatever happens: a memory that is away must not stop anybody's work.

type Options = ServerOptions & {
  channel: string;
  maxTokens: number;
  timeout: number;
  event?: HookEventKind;
  plain?: true;
  state: string;
};

/** The most characters of a prompt that the server accepts. */
const MAX_PROMPT = 10_000;

const program = withServer(new Command('mnemograph hook'))
  .description(
    'Gives a coding agent a memory: the agent runs this command at its events, with JSON on standard input ' +
      '(docs/hooks.md). At a prompt it prints what is known, at a stop it remembers what was said.',
  )
  .option('--channel <name>', 'the channel of what is said', 'agent')
  .option('--max-tokens <count>', 'the most tokens that are added to a prompt', countOption, 2_000)
  .option('--timeout <ms>', 'the most milliseconds that the agent waits', countOption, 3_000)
  .addOption(
    new Option('--event <kind>', 'what has happened, if the JSON does not say it').choices([
      'prompt',
      'stop',
    ]),
  )
  .option('--plain', 'print text, also to an agent that reads JSON')
  .addOption(
    orFromEnv(
      new Option('--state <folder>', 'where to note how far each session is remembered'),
      'MNEMOGRAPH_HOOK_STATE',
    ).default(join(homedir(), '.local', 'state', 'mnemograph', 'hook')),
  )
  .parse();

const options = program.opts<Options>();
const signal = AbortSignal.timeout(options.timeout);
try {
  const event = readEvent(await text(addAbortSignal(signal, process.stdin)), options.event);
  await handle(event);
} catch (error) {
  process.stderr.write(`mnemograph hook: ${reasonOf(error)}. The agent goes on without it.\n`);
}

async function handle(event: HookEvent): Promise<void> {
  const { url, apiKey, user, state } = options;
  const all = createMemory({ url, ...(apiKey ? { apiKey } : {}), retries: 0 });
  const memory = user === undefined ? all : all.as(user);
  const name = hash([url, user ?? '', apiKey ?? '', event.session, event.transcript ?? '']);
  const progress = progressIn(state, name);
  if (event.kind === 'prompt' && event.prompt.trim() !== '') {
    const { threadId } = await progress.read();
    const context = await contextOf(memory, event, threadId);
    if (context !== '') {
      process.stdout.write(`${answerTo(options.plain ? { name: '' } : event, context)}\n`);
    }
  }
  if (event.kind === 'stop') {
    const { channel } = options;
    const refused = await rememberSession(event, { memory, channel, progress, signal });
    if (refused !== null) throw new Error(`Something was not stored: ${refused}`);
  }
}

/** What memory knows about a prompt, fenced as data; empty if it knows nothing. */
async function contextOf(
  memory: Memory,
  { prompt }: HookEvent,
  threadId: string | null,
): Promise<string> {
  const { channel, maxTokens } = options;
  const message = prompt.slice(0, MAX_PROMPT).toWellFormed();
  const ask = (thread: string | null) =>
    memory.context(message, { channel, maxTokens, threadId: thread }, { signal });
  const { sections, markdown } = await ask(threadId).catch((error) => {
    // The thread of the session was forgotten.
    if (threadId === null || !(error instanceof MemoryError) || error.code !== 'NOT_FOUND') {
      throw error;
    }
    return ask(null);
  });
  return sections.every(({ name }) => name === 'FRAME') ? '' : markdown;
}

function reasonOf(error: unknown): string {
  if (signal.aborted) return `It did not finish within ${options.timeout} ms`;
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s+/g, ' ').replace(/\.$/, '');
}
