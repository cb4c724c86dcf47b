import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Ask, createMemoryServer, TOOL_NAMES } from '@mnemograph/mcp';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createServerAdapter } from '@whatwg-node/server';
import type { Credentials } from '../../auth/authenticate.ts';
import { Unauthenticated } from '../../auth/unauthenticated.ts';
import { entriesOf } from '../../config/entries.ts';
import type { HttpContext } from '../../context.ts';
import { parse } from '../../domain/core/parse.ts';
import type { Viewer } from '../../domain/core/viewer.ts';
import { userIdSchema } from '../../domain/turns/turn.ts';
import { Refused } from '../errors/refused.ts';
import type { GraphQLServer } from '../graphql.ts';
import { credentialsOf } from '../requests/credentials.ts';
import { requirePreflight } from '../requests/cross-site.ts';
import { readJson } from '../requests/read-body.ts';
import type { Gate } from '../streams/gate.ts';
import { whenClosed } from '../streams/when-closed.ts';
import { announcing, listenedTo, openChanges } from './mcp-changes.ts';
import { createResourceMetadata } from './resource-metadata.ts';

/** The path of the endpoint. */
const MCP_PATH = '/mcp';
/** The header in which an API key names the user for whom it acts. */
const USER_HEADER = 'x-mnemograph-user';

/** Serves /mcp, and what OAuth clients read about it. @returns false for any other path @throws Refused */
export type ServeMcp = (
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<boolean>;

/** Serves the Model Context Protocol. Each request gets a server of its own, which asks the graph with the same credentials. */
export function createMcp(
  ctx: HttpContext,
  gate: Gate,
  { graphql, follow }: { graphql: GraphQLServer; follow: (response: ServerResponse) => void },
): ServeMcp {
  const metadata = createResourceMetadata(ctx.config);
  const noteFailure = (error: unknown) => ctx.logger.warn({ err: error }, 'mcp.close_failed');

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { method } = request;
    requirePreflight(request);
    const credentials = credentialsOf(request, ctx);
    const viewer = await gate.authenticate(credentials).catch((error) => {
      if (error instanceof Unauthenticated) metadata.challenge(request, response);
      throw error;
    });
    const userId = userOf(viewer, request);
    const body = method === 'POST' ? await readJson(request, ctx.config.server.maxBodyBytes) : null;
    if (response.closed) return;
    const ask = askInProcess(graphql, credentials, response);
    const user = viewer.kind === 'key' ? userId : undefined;
    const access = { ask, userId: user, permits: viewer.access, only: toolsOf(request) };
    const uris = listenedTo(body);
    const bus = uris && (await listen(response, uris, { credentials, viewer, userId: user }));
    const handler = createMcpHandler(
      // The protocol of 2025 announces changes only in a session, and this endpoint keeps none.
      ({ era }) => createMemoryServer({ ...access, announces: era === 'modern' }),
      bus ? { maxSubscriptions: 1, bus } : { maxSubscriptions: 0 },
    );
    whenClosed(response, () => void handler.close().catch(noteFailure));
    await createServerAdapter((converted: Request) =>
      handler.fetch(converted, body === null ? {} : { parsedBody: body }),
    )(request, response);
  };

  /** Counts, guards and ends the stream of a host as any event stream, and follows the memory for it. @throws Refused */
  const listen = async (
    response: ServerResponse,
    uris: readonly string[],
    {
      viewer,
      credentials,
      userId,
    }: { viewer: Viewer; credentials: Credentials; userId: string | undefined },
  ) => {
    response.once('close', gate.streams.open(viewer));
    response.once(
      'close',
      gate.watchExpiry(viewer, credentials, () => response.destroy()),
    );
    follow(response);
    const isGone = () => response.closed;
    const changes = await openChanges(graphql, { credentials, userId, isGone });
    whenClosed(response, () => void changes.return?.().catch(noteFailure));
    return announcing(changes, uris, (error) => {
      if (error !== undefined) ctx.logger.warn({ err: error }, 'mcp.changes_ended');
      response.destroy();
    });
  };

  return async (path, request, response) => {
    if (metadata.serve(path, request, response)) return true;
    if (path !== MCP_PATH) return false;
    await serve(request, response);
    return true;
  };
}

/** The user whose memory a request concerns: the credentials say it, or the header of an API key. @throws Refused */
function userOf(viewer: Viewer, { headers }: IncomingMessage): string {
  const name = [headers[USER_HEADER] ?? []].flat()[0];
  if (viewer.kind === 'key') {
    if (name !== undefined) return parse(userIdSchema, decode(name), USER_HEADER);
    const message = `An API key acts for many users: name one in the header ${USER_HEADER}, URL-encoded.`;
    throw new Refused(400, 'USER_REQUIRED', message);
  }
  if (name === undefined || decode(name) === viewer.userId) return viewer.userId;
  const message = `These credentials are not those of the user in the header ${USER_HEADER}.`;
  throw new Refused(403, 'FORBIDDEN', message);
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new Refused(400, 'BAD_REQUEST', `The header ${USER_HEADER} is not URL-encoded.`);
  }
}

/** The tools that the address asks for, as in /mcp?tools=context,recall; null = all. @throws Refused if one is unknown */
function toolsOf({ url = '/' }: IncomingMessage): string[] | null {
  const list = new URLSearchParams(url.split('?')[1]).get('tools');
  if (list === null) return null;
  const names = entriesOf(list);
  const unknown = names.filter((name) => !TOOL_NAMES.includes(name));
  if (unknown.length === 0) return names;
  const message = `No tool is called ${unknown.join(' or ')}: ?tools= can name ${TOOL_NAMES.join(', ')}.`;
  throw new Refused(400, 'BAD_REQUEST', message);
}

type GraphQLAnswer = {
  data?: unknown;
  errors?: readonly { message: string; extensions?: { code?: string } }[];
};

/** Asks the graph without a connection: limits, isolation, error masking and traces are those of any request. */
function askInProcess(
  graphql: GraphQLServer,
  credentials: Credentials,
  response: ServerResponse,
): Ask {
  return async (operation, variables) => {
    const answer = await graphql.fetch(
      'http://localhost/graphql',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: String(operation), variables }),
      },
      { credentials, isGone: () => response.closed },
    );
    const { data, errors } = (await answer.json()) as GraphQLAnswer;
    if (!errors?.length) return data as never;
    const code = errors[0]?.extensions?.code ?? 'INTERNAL_SERVER_ERROR';
    const messages = new Set(errors.map(({ message }) => message));
    throw new Refused(answer.status, code, [...messages].join(' '));
  };
}
