import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { collect, type Scope } from './check-patterns/collect.ts';
import { judge, USUAL_BUDGET } from './check-patterns/judge.ts';
import { report } from './check-patterns/report.ts';

/** The server, the MCP server that it contains, and its libraries. Commands and workers are not loaded, because they would begin to run. */
const SERVER: Scope = {
  own: ['src', 'packages/mcp/src'],
  isLoaded: (file) => !/^src\/(?:cli\/|main\.ts)|-worker\.(?:ts|mjs)$/.test(file),
  builders: {},
  libraries: [
    'node_modules/chrono-node/dist/esm/common',
    'node_modules/chrono-node/dist/esm/locales/en',
    'node_modules/compromise/src',
  ],
};

/** Prints whether each regular expression takes linear time. Returns the exit code. */
async function main(root: string): Promise<number> {
  const { patterns, unseen } = await collect(root, SERVER);
  const verdicts = await judge(patterns, USUAL_BUDGET);
  for (const [place, reason] of Object.entries(SERVER.builders)) {
    console.log(`May build expressions later: ${place}, which ${reason}.`);
  }
  for (const line of report(verdicts, unseen)) console.log(line);
  return unseen.length > 0 || verdicts.some(({ outcome }) => outcome === 'refused') ? 1 : 0;
}

const script = process.argv[1];
if (script !== undefined && pathToFileURL(realpathSync(script)).href === import.meta.url)
  // The server's modules may keep handles open: exit anyway.
  process.exit(await main(process.argv[2] ?? process.cwd()));
