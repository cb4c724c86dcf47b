import { setTimeout as delay } from 'node:timers/promises';
import { call, operation } from '../call.ts';
import { bounded, type HostileOperation, openConnections, problemsOf, refused } from './bounded.ts';

const SLOW_CONNECTIONS = 200;
const SLOW_FOR = 4_000;
const BYTE_EVERY = 200;

/** Requests whose bodies arrive byte by byte. They may be held or refused; other users must not notice. */
const slowBodies =
  (path: string, method: string): HostileOperation =>
  async ({ url, token }) => {
    const lines = [
      `${method} ${path} HTTP/1.1`,
      `host: ${new URL(url).hostname}`,
      `authorization: Bearer ${token}`,
      'content-type: application/json',
      'content-length: 100000',
    ];
    const head = `${lines.join('\r\n')}\r\n\r\n`;
    const sockets = openConnections(url, SLOW_CONNECTIONS);
    for (const socket of sockets) socket.write(head);
    for (let waited = 0; waited < SLOW_FOR; waited += BYTE_EVERY) {
      for (const socket of sockets) if (socket.writable) socket.write(' ');
      await delay(BYTE_EVERY);
    }
    for (const socket of sockets) socket.destroy();
    return [];
  };

/** The headers of a request from a foreign page by an image or a link. */
const FOREIGN = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
const asked = encodeURIComponent('{ recall(input: { query: "x" }) { __typename } }');

/** Tokens with odd times must be refused or work like any other. */
const oddTokens: HostileOperation = async ({ url, tokenOf }) => {
  const odd = [1e15, 1e300, -1, 0.5, Number.MAX_SAFE_INTEGER];
  const answers = await Promise.all(
    odd.map(async (expires) =>
      call(url, await tokenOf('odd', expires), { body: operation('{ viewer { userId } }') }),
    ),
  );
  return answers.flatMap(problemsOf);
};

/** Attacks on HTTP: bodies, addresses, credentials. */
export const HTTP_OPERATIONS: Record<string, HostileOperation> = {
  'get-from-a-foreign-page': refused(
    { path: `/graphql?query=${asked}`, method: 'GET', headers: { ...FOREIGN, accept: '*/*' } },
    ...[400, 403, 405, 415],
  ),
  'export-from-a-foreign-page': refused(
    { path: '/export/evil', method: 'GET', headers: FOREIGN },
    ...[400, 401, 403, 404, 405],
  ),
  'slow-bodies': slowBodies('/graphql', 'POST'),
  'slow-bodies-to-nowhere': slowBodies('/nowhere', 'GET'),
  'json-10000-operations': bounded({
    body: `[${Array.from({ length: 10_000 }, () => '{"query":"{__typename}"}').join()}]`,
  }),
  'json-deep': bounded({ body: `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}` }),
  'json-odd-keys': bounded({
    body: `{"__proto__":{"query":1},"query":"{__typename}","variables":{"__proto__":{"a":1}},"extensions":{"constructor":1e400}}`,
  }),
  'json-8-MB-of-one-number': bounded({
    body: `{"query":"{__typename}","variables":{"n":${'9'.repeat(7_900_000)}}}`,
  }),
  'tokens-with-odd-times': oddTokens,
  'token-8-kB': bounded({
    body: operation('{ __typename }'),
    headers: { authorization: `Bearer ${'e'.repeat(8_000)}.e.e` },
  }),
};
