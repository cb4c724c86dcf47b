import { createMemory } from '@mnemograph/client';
import { serveOverStdio } from '@mnemograph/mcp';
import { Command } from 'commander';
import { loadConfig } from '../config/config.ts';
import { createHome, type Home } from './mcp/home.ts';
import { CommandFailed, runCommand } from './support/run-command.ts';
import { type ServerOptions, USER_REQUIRED, withServer } from './support/server-options.ts';

// Standard output belongs to the protocol: nothing else may be written to it.

const program = withServer(new Command('mnemograph mcp'), 'the server of the data folder')
  .description(
    'Serves a memory to an MCP host over stdin and stdout: that of the server at --url, else that of the data folder, whose ' +
      'server it finds or starts.',
  )
  .showHelpAfterError();
program.parse();

/** For whom the caller acts, and what it may do. */
type Session = { kind: 'LOCAL' | 'USER' | 'ALL_USERS'; access: 'READ' | 'WRITE' | 'ALL' };

/** Waits for a server that is starting or taking over. */
const PATIENT = { retries: 1_000, timeout: 120_000 };
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** How long the server in this process may take to stop, in milliseconds. */
const STOP_WITHIN = 9_000;

await runCommand(async () => {
  const { url, apiKey, user } = program.opts<ServerOptions>();
  const isNamed = program.getOptionValueSource('url') !== 'default';
  await using home = isNamed ? null : createHome(loadConfig());
  // Whatever is wrong with the settings is said at once.
  await home?.address();
  const memory = createMemory({
    url,
    ...(apiKey ? { apiKey } : {}),
    ...(home ? { ...PATIENT, fetch: fetchAt(home, url) } : {}),
  });
  const { session } = await memory.request<{ session: Session }>('{ session { kind access } }');
  if (session.kind === 'ALL_USERS' && user === undefined) throw new CommandFailed(USER_REQUIRED);
  const end = new AbortController();
  for (const signal of SIGNALS) process.on(signal, () => end.abort());
  const options = { memory, userId: user, permits: session.access };
  await serveOverStdio(options, end.signal);
  setTimeout(() => process.exit(1), STOP_WITHIN).unref();
});
// Standard input may still be open, and would keep this process.
process.exit();

/** Sends what is meant for an address to the server of a data folder, wherever that is at the moment. */
function fetchAt(home: Home, nominal: string): typeof fetch {
  return async (input, init) => {
    const address = await home.address();
    try {
      return await fetch(String(input).replace(nominal, new URL(address).origin), init);
    } catch (error) {
      home.lost(address);
      throw error;
    }
  };
}
