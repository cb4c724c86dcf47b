import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createLogger } from '../../../src/observability/logger.ts';
import { byToken, serveArchives } from '../../support/archive.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
let archive: string;
const lines: string[] = [];
beforeAll(async () => {
  const logger = createLogger('warn', { write: (line) => void lines.push(line) });
  world = await createWorld({ EMBEDDER: 'none' }, { logger });
  await say(await world.user('ada'), { channel: 'sms', turns: [{ text: 'Hello.' }] });
  await using server = await serveArchives(world);
  archive = await (await server.fetchArchive('ada', await byToken('ada'))).text();
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  lines.length = 0;
});

const logged = () => lines.map((line) => JSON.parse(line).msg);

it('an import that fails unexpectedly after its body was read is answered with 500', async () => {
  const fails = () => Promise.reject(new Error('No space left on device.'));
  const memory: World['ctx']['memory'] = (userId) => ({
    ...world.ctx.memory(userId),
    write: fails,
  });
  await using server = await serveArchives({ ctx: { ...world.ctx, memory } });
  expect(await server.sendArchive('unlucky', await byToken('unlucky'), archive)).toEqual({
    status: 500,
    body: {
      errors: [
        {
          message: 'Something went wrong on the server. It has been logged.',
          extensions: { code: 'INTERNAL_SERVER_ERROR' },
        },
      ],
    },
  });
  expect(logged()).toEqual(['request.failed']);
});

it.each(['end', 'resetAndDestroy'] as const)(
  'an import whose client leaves in between is logged as aborted: %s',
  async (leave) => {
    await using server = await serveArchives(world);
    const { port } = new URL(server.origin);
    const client = connect(Number(port), '127.0.0.1');
    client.on('error', () => undefined);
    await once(client, 'connect');
    const head = [
      'POST /import/leaver HTTP/1.1',
      `Host: localhost:${port}`,
      'Content-Type: application/x-ndjson',
      `Authorization: ${(await byToken('leaver')).authorization}`,
      `Content-Length: ${archive.length}`,
    ];
    const half = archive.slice(0, archive.length / 2);
    await new Promise((sent) => client.write(`${head.join('\r\n')}\r\n\r\n${half}`, sent));
    client[leave]();
    await expect.poll(logged).toEqual(['request.aborted']);
  },
);
