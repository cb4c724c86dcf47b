#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { NODE_OPTIONS } from './node-options.ts';

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
  demo: ['./demo', 'start a separate server with a sample memory and query it'],
} as const;

const program = new Command('mnemograph')
  .description('A memory server for agents and chat applications.')
  .helpCommand(false);

for (const [name, [module, description]] of Object.entries(COMMANDS)) {
  program
    .command(`${name} [args...]`, { isDefault: name === 'serve' })
    .description(description)
    .allowUnknownOption()
    .helpOption(false)
    .action((args: string[]) => run(module, args));
}
program.parse();

/** Runs a command in a child process, with the Node options of the server. Forwards signals to it and takes over its exit code. */
function run(module: string, args: readonly string[]): void {
  const file = fileURLToPath(import.meta.resolve(`${module}${import.meta.url.slice(-3)}`));
  const child = spawn(process.execPath, [...NODE_OPTIONS, file, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
  });
}
