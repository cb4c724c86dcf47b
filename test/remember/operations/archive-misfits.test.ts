import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ArchiveServer, byToken, serveArchives, withRows } from '../../support/archive.ts';
import { CLOSE, TAP, talk } from '../../support/episodes.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
let server: ArchiveServer;
let archive: string;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
  server = await serveArchives(world);
  const ada = await world.user('ada');
  const turns = talk(TAP, '2026-03-02T08:00:00Z');
  const [turn] = await say(ada, { channel: 'web', newThread: {}, turns });
  await ada.execute(CLOSE, { threadId: turn?.thread.id ?? '' });
  await world.settle();
  archive = await (await server.fetchArchive('ada', await byToken('ada'))).text();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

type Row = { type: string; kind?: string; number?: number; last_turn?: number };

/** Sends the archive with changed rows. */
async function sent(userId: string, change: (row: Row) => Row) {
  const rows = (all: string[]) => all.map((row) => JSON.stringify(change(JSON.parse(row))));
  const text = withRows(archive, rows);
  const { status, body } = await server.sendArchive(userId, await byToken(userId), text);
  return { status, message: body.errors?.[0]?.message };
}

it('an archive whose rows fit is imported', async () => {
  expect(await sent('copy', (row) => row)).toMatchObject({ status: 200 });
});

it('an archive with a segment beyond its thread is refused, as a step would wait for its turns for ever', async () => {
  const change = (row: Row) =>
    row.type === 'episode' && row.kind === 'SEGMENT' ? { ...row, last_turn: 60 } : row;
  expect(await sent('strayed', change)).toEqual({
    status: 422,
    message: expect.stringMatching(
      /: episode \d+ covers turns that its thread does not have\. Nothing was changed/,
    ),
  });
});

it.each([1, 60])(
  'an archive with a turn that has the number %i instead of its own is refused',
  async (number) => {
    const change = (row: Row) =>
      row.type === 'turn' && row.number === 2 ? { ...row, number } : row;
    expect(await sent(`gapped-${number}`, change)).toEqual({
      status: 422,
      message: expect.stringContaining(': the turns of thread 1 are not numbered from 1 on. '),
    });
  },
);
