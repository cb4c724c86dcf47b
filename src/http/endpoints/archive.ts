import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Authenticate, Credentials } from '../../auth/authenticate.ts';
import { createRateLimiter } from '../../auth/rate-limiter.ts';
import { Unauthenticated } from '../../auth/unauthenticated.ts';
import type { Context } from '../../context.ts';
import { callerOf, type Viewer } from '../../domain/core/viewer.ts';
import { archives, type Spool } from '../../schema/operations/archive.ts';
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

/** Serves GET and POST /export/<user>, and POST /import/<user>. @returns false for any other path @throws Refused */
export type ServeArchives = (
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<boolean>;

export function createArchives(ctx: Context, authenticate: Authenticate): ServeArchives {
  const failures = createRateLimiter(
    'wrong downloads from this address',
    ctx.config.limits.failedAuthentications,
  );
  // One archive per caller and user at a time, since each needs a file on the disk.
  const busy = new Set<string>();
  const refuseBusy = (key: string) => {
    if (!busy.has(key)) return;
    throw new Refused(
      429,
      'BUSY',
      'An archive of this user is being exported or imported already.',
      RETRY_AFTER,
    );
  };
  const alone = async (key: string, work: () => Promise<void>) => {
    refuseBusy(key);
    busy.add(key);
    try {
      await work();
    } finally {
      busy.delete(key);
    }
  };

  const sendByTicket = async (
    { userId, ticket }: { userId: string; ticket: string },
    { address }: Credentials,
    response: ServerResponse,
  ) => {
    const key = `ticket ${userId}`;
    // Before the ticket is taken: it is valid once. Only a valid one keeps others out, since anybody can send a wrong one.
    refuseBusy(key);
    const read = await archives.redeem(ctx, userId, ticket);
    if (read) return alone(key, async () => send(ctx, await read(), response));
    if (address) await failures.spend(address);
    throw new Unauthenticated(
      'This download has begun before, or its time is up. Ask `exportMemory` for another one.',
    );
  };

  return async (path, request, response) => {
    const [, what, name = ''] = PATH.exec(path) ?? [];
    if (what === undefined) return false;
    const isExport = what === 'export';
    requireMethod(request, response, isExport ? ['GET', 'POST'] : ['POST']);
    const userId = decode(name);
    const ticket = isExport ? ticketIn(request) : null;
    if (ticket === null && !request.headers.authorization) {
      const how =
        'Without credentials, use POST here, or the address with a ticket that `exportMemory` returns.';
      requireMethod(request, response, ['POST'], how);
    }
    if (ticket !== null) {
      await sendByTicket({ userId, ticket }, credentialsOf(request, ctx), response);
      return true;
    }
    requirePreflight(request);
    const viewer = await authenticate(credentialsOf(request, ctx));
    const by = callerOf(viewer);
    await alone(`${by} ${userId}`, () =>
      isExport
        ? archives.read(ctx, viewer, userId).then((archive) => send(ctx, archive, response))
        : receive(ctx, viewer, userId, request, response),
    );
    return true;
  };
}

function requireMethod(
  { method = '' }: IncomingMessage,
  response: ServerResponse,
  allowed: readonly string[],
  how = `Use ${allowed.join(' or ')} here.`,
) {
  if (allowed.includes(method)) return;
  response.setHeader('allow', allowed.join(', '));
  throw new Refused(405, 'METHOD_NOT_ALLOWED', how);
}

async function send(ctx: Context, opened: Spool, response: ServerResponse) {
  await using archive = opened;
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

/** The ticket of a download without credentials; null if there is none. Credentials go before a ticket. */
function ticketIn({ url = '/', headers }: IncomingMessage): string | null {
  if (headers.authorization !== undefined) return null;
  return new URLSearchParams(url.split('?', 2)[1]).get('ticket');
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new Refused(400, 'BAD_REQUEST', 'The name in the address is not URL-encoded.');
  }
}
