import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Authenticate } from '../../auth/authenticate.ts';
import type { Context } from '../../context.ts';
import { callerOf, type Viewer } from '../../domain/core/viewer.ts';
import { archives } from '../../schema/operations/archive.ts';
import { Refused } from '../errors/refused.ts';
import { bodyParts } from '../requests/body-parts.ts';
import { credentialsOf } from '../requests/credentials.ts';
import { requirePreflight } from '../requests/cross-site.ts';

const TYPE = 'application/x-ndjson';
const PATH = /^\/(export|import)\/([^/]+)$/;
/** How long a connection may transfer nothing before it is closed, in milliseconds. */
const STILL = 60_000;
/** In seconds. */
const RETRY_AFTER = 10;

/** Serves GET /export/<user> and POST /import/<user>. @returns false for any other path @throws Refused */
export type ServeArchives = (
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<boolean>;

export function createArchives(ctx: Context, authenticate: Authenticate): ServeArchives {
  // One archive per caller and user at a time, since each needs a file on the disk.
  const busy = new Set<string>();
  const alone = async (key: string, work: () => Promise<void>) => {
    if (busy.has(key)) {
      throw new Refused(
        429,
        'BUSY',
        'An archive of this user is being exported or imported already.',
        RETRY_AFTER,
      );
    }
    busy.add(key);
    try {
      await work();
    } finally {
      busy.delete(key);
    }
  };

  return async (path, request, response) => {
    const [, what, name = ''] = PATH.exec(path) ?? [];
    if (what === undefined) return false;
    const isExport = what === 'export';
    requireMethod(request, response, isExport ? 'GET' : 'POST');
    const userId = decode(name);
    requirePreflight(request);
    const viewer = await authenticate(credentialsOf(request, ctx));
    const by = callerOf(viewer);
    await alone(`${by} ${userId}`, () =>
      isExport
        ? send(ctx, viewer, userId, response)
        : receive(ctx, viewer, userId, request, response),
    );
    return true;
  };
}

function requireMethod({ method }: IncomingMessage, response: ServerResponse, allowed: string) {
  if (method === allowed) return;
  response.setHeader('allow', allowed);
  throw new Refused(405, 'METHOD_NOT_ALLOWED', `Use ${allowed} here.`);
}

async function send(ctx: Context, viewer: Viewer, userId: string, response: ServerResponse) {
  await using archive = await archives.read(ctx, viewer, userId);
  const day = ctx.clock().toISOString().slice(0, 10);
  response.writeHead(200, {
    'content-type': TYPE,
    'content-length': archive.size(),
    'content-disposition': `attachment; filename="memory-${day}.ndjson"`,
  });
  response.setTimeout(STILL, () => response.destroy());
  await pipeline(archive.read(), response);
}

async function receive(
  ctx: Context,
  viewer: Viewer,
  userId: string,
  request: IncomingMessage,
  response: ServerResponse,
) {
  if (!request.headers['content-type']?.startsWith(TYPE)) {
    throw new Refused(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      `Send the archive as "content-type: ${TYPE}".`,
    );
  }
  const body = limited(request, ctx.config.server.maxArchiveBytes);
  const imported = await archives.write(ctx, viewer, userId, body);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ imported }));
}

async function* limited(request: IncomingMessage, most: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const part of bodyParts(request, { still: STILL })) {
    size += part.length;
    if (size > most) {
      const allowed = most.toLocaleString('en');
      throw new Refused(
        413,
        'BODY_TOO_LARGE',
        `The archive is larger than ${allowed} bytes; see MAX_ARCHIVE_BYTES.`,
      );
    }
    yield part;
  }
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new Refused(400, 'BAD_REQUEST', 'The name in the address is not URL-encoded.');
  }
}
