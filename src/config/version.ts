import { readFileSync } from 'node:fs';
import { PACKAGE_FOLDER } from '../shared/code-folder.ts';

const { version, engines } = JSON.parse(
  readFileSync(new URL('package.json', PACKAGE_FOLDER), 'utf8'),
) as { version: string; engines: { node: string } };

/** The version of this server. */
export const VERSION = version;

/** The oldest version of Node.js that runs it, such as "20.19". */
export const OLDEST_NODE = engines.node.replace(/^>=/, '');
