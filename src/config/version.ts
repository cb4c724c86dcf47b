import { readFileSync } from 'node:fs';

const { version, engines } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string; engines: { node: string } };

/** The version of this server. */
export const VERSION = version;

/** The oldest version of Node.js that runs it, such as "20.19". */
export const OLDEST_NODE = engines.node.replace(/^>=/, '');
