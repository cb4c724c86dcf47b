import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PACKAGE_FOLDER } from '../../shared/code-folder.ts';
import { keysOf } from '../../shared/keys-of.ts';

type Encoding = 'br' | 'gzip';
type File = { type: string; body: Buffer; compressed: Partial<Record<Encoding, Buffer>> };

const FOLDER = new URL('packages/console/dist/', PACKAGE_FOLDER);
const PAGE = 'index.html';
const READING = new Set(['GET', 'HEAD']);
/** Their names contain a hash of what is in them. */
const HASHED = 'assets/';
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** The endings of compressed copies, the best first. */
const ENCODINGS: Record<Encoding, string> = { br: '.br', gzip: '.gz' };
const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** With this policy the browser runs scripts of this server only, and talks to no other. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const NOT_BUILT = `The console is not built. In the folder of the server, run "npm ci" or "npm run build", and load this page again.\n`;

/** Creates the handler that serves the web console, and leads there from "/". It returns false for any other request. */
export function createConsole(folder: URL = FOLDER) {
  const files = filesIn(folder);
  return async (
    path: string,
    { method = '', headers }: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> => {
    if (!READING.has(method)) return false;
    // Relative, since a proxy may serve all of it below a path.
    if (path === '/' || path === '/console') return redirect(response, './console/');
    if (!path.startsWith('/console/')) return false;
    const found = await files();
    if (found.size === 0) return refuse(response);
    const name = path.slice('/console/'.length);
    // Any other name is a screen of the console.
    const file = found.get(/[./]/.test(name) ? name : PAGE);
    if (!file) return false;
    if (name.startsWith(HASHED)) response.setHeader('cache-control', IMMUTABLE);
    return send(file, headers['accept-encoding'], response);
  };
}

function send(file: File, accepted: string | undefined, response: ServerResponse): true {
  const encoding = encodingFor(file, accepted);
  response.setHeader('content-type', file.type);
  response.setHeader('content-security-policy', POLICY);
  response.setHeader('vary', 'accept-encoding');
  if (encoding) response.setHeader('content-encoding', encoding);
  response.end((encoding && file.compressed[encoding]) ?? file.body);
  return true;
}

function refuse(response: ServerResponse): true {
  response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' }).end(NOT_BUILT);
  return true;
}

function redirect(response: ServerResponse, location: string): true {
  response.writeHead(302, { location }).end();
  return true;
}

/** Returns a function that reads the files once there are any. */
function filesIn(folder: URL): () => Promise<ReadonlyMap<string, File>> {
  let files: Map<string, File> = new Map();
  return async () => {
    if (files.size === 0) files = await load(folder);
    return files;
  };
}

/** Reads the folder that `vite build` has written; nothing if there is none. */
async function load(folder: URL): Promise<Map<string, File>> {
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
  const read = (name: string) => readFile(new URL(name, folder));
  const files = new Map<string, File>();
  for (const name of names) {
    const type = TYPES[name.replace(/^.*\./, '')];
    if (!type) continue;
    const compressed: File['compressed'] = {};
    for (const [encoding, ending] of Object.entries(ENCODINGS)) {
      if (!names.includes(name + ending)) continue;
      compressed[encoding as Encoding] = await read(name + ending);
    }
    files.set(name, { type, body: await read(name), compressed });
  }
  return files;
}

function encodingFor({ compressed }: File, accepted = ''): Encoding | undefined {
  const encodings = accepted.split(',').map((part) => part.trim());
  return keysOf(ENCODINGS).find((encoding) => compressed[encoding] && encodings.includes(encoding));
}
