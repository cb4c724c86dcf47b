import { createMemory } from '@mnemograph/client';
import { serveOverStdio } from '@mnemograph/mcp';
import { Command } from 'commander';
import { runCommand } from './support/run-command.ts';
import { type ServerOptions, withServer } from './support/server-options.ts';

// Standard output belongs to the protocol: nothing else may be written to it.

const program = withServer(new Command('mnemograph mcp'))
  .description('Serves the memory of a running server to an MCP host over stdin and stdout.')
  .showHelpAfterError();
program.parse();

await runCommand(async () => {
  const { url, apiKey, user } = program.opts<ServerOptions>();
  const { request } = createMemory({ url, ...(apiKey ? { apiKey } : {}) });
  const { session } = await request<{ session: { access: 'READ' | 'WRITE' | 'ALL' } }>(
    '{ session { access } }',
  );
  await serveOverStdio({ request, userId: user, permits: session.access });
});
