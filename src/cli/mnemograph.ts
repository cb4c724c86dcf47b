#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { VERSION } from '../config/version.ts';
import { MEMORY_SETTINGS, NODE_OPTIONS } from './node-options.ts';

/** The commands: the module and the description of each. */
const COMMANDS = {
  serve: ['../main', 'start the server (also without a command)'],
  migrate: ['./migrate', 'apply pending migrations, as the server does when it starts'],
  keys: ['./keys', 'create, list, rotate and revoke API keys'],
  import: [
    './import',
    'import conversations (exports of ChatGPT and Claude, JSON lines) or an archive',
  ],
  export: ['./export', 'export a whole memory to a file'],
  mcp: [
    './mcp',
    'serve a memory to an MCP host over stdin and stdout; starts a server if none runs',
  ],
  hook: ['./hook', 'give a coding agent a memory: run by the agent, with JSON on standard input'],
  doctor: [
    './doctor',
    'say what is wrong with the settings, the database or a server, and what to do',
  ],
  demo: ['./demo', 'start a separate server with a sample memory and query it'],
} as const;

/** Agents wait for these at every prompt: they run in this process, without the Node options of the server. */
const IN_THIS_PROCESS: readonly string[] = ['hook'];

const SETTINGS = 'Settings are environment variables, such as PORT=4100 (docs/configuration.md).';

const program = new Command('mnemograph')
  .description('A memory server for agents and chat applications.')
  .version(VERSION)
  .showHelpAfterError(`"mnemograph --help" lists the commands. ${SETTINGS}`)
  .helpCommand('help', 'list the commands');

for (const [name, [module, description]] of Object.entries(COMMANDS)) {
  const command = program.command(name).description(description);
  // It alone has no arguments and options of its own.
  if (name === 'serve') {
    command.addHelpText('after', `\n${SETTINGS}`).action(() => run(module, ['--guide']));
    continue;
  }
  command
    .argument('[args...]')
    .allowUnknownOption()
    .helpOption(false)
    .action((args: string[]) =>
      IN_THIS_PROCESS.includes(name) ? runHere(module, args) : run(module, args),
    );
}

// biome-ignore lint/style/noProcessEnv: who has started this command, not how the server is set up
const isOfNpx = process.env.npm_command === 'exec';

const given = process.argv.slice(2);
await program.parseAsync(given.length === 0 ? ['serve'] : given, { from: 'user' });

/** The address of a module: of JavaScript when this is compiled, else of TypeScript. */
function addressOf(module: string): string {
  return import.meta.resolve(`${module}${import.meta.url.slice(-3)}`);
}

/** Runs a command as if it had been started itself. */
async function runHere(module: string, args: readonly string[]): Promise<void> {
  process.argv.splice(2, process.argv.length, ...args);
  await import(addressOf(module));
}

/** Runs a command in a child process, with the Node options of the server. Forwards signals to it and takes over its exit code. */
function run(module: string, args: readonly string[]): void {
  const file = fileURLToPath(addressOf(module));
  const child = spawn(process.execPath, [...NODE_OPTIONS, file, ...args], {
    stdio: 'inherit',
    // biome-ignore lint/style/noProcessEnv: passed on as it is; what the caller has set wins
    env: { ...MEMORY_SETTINGS, ...process.env },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  if (isOfNpx) whenParentIsGone(() => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
  });
}

/** npx ends without a word to what it has started, which would go on and hold its data folder. */
function whenParentIsGone(stop: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, 500).unref();
}
