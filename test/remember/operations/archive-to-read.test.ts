import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ArchiveServer, byToken, serveArchives, withRows } from '../../support/archive.ts';
import { FORGET_FACT, factsOf, unsure } from '../../support/facts.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
let server: ArchiveServer;
/** Of a memory in which a turn is to be read again: what kept its fact out was forgotten. */
let archive: string;

beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
  server = await serveArchives(world);
  const ada = await world.user('ada');
  const sayName = async (text: string, occurredAt: string) => {
    const [turn] = await say(ada, { channel: 'sms', turns: [{ text, occurredAt }] });
    await world.settle();
    return turn?.id ?? '';
  };
  const turnId = await sayName('My name is Alex.', '2026-03-02T08:00:00Z');
  const { rules } = world.ctx;
  const readTurns: typeof rules.readTurns = async (...args) =>
    unsure(await rules.readTurns(...args));
  world.with({ rules: { ...rules, readTurns } });
  await sayName('My name is Al.', '2026-03-02T08:01:00Z');
  world.restore();
  expect((await factsOf(ada)).active).toEqual(['profile:name = Alex']);
  await ada.execute(FORGET_FACT, { input: { turnId } });
  archive = await (await server.fetchArchive('ada', await byToken('ada'))).text();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** Restores an archive, has everything done, and returns what is known then. */
async function restored(userId: string, text: string) {
  const { status, body } = await server.sendArchive(userId, await byToken(userId), text);
  expect([status, body.errors]).toEqual([200, undefined]);
  await world.settle();
  return (await factsOf(await world.user(userId))).active;
}

const isToRead = (row: string) => JSON.parse(row).type === 'turn_to_read';

it('a turn that was to be read again when its memory was exported is read again in the copy', async () => {
  expect(await restored('copy', archive)).toEqual(['profile:name = Al']);
  await world.settle();
  expect((await factsOf(await world.user('ada'))).active).toEqual(['profile:name = Al']);
});

it('a turn that was to be read again and was forgotten then is left out', async () => {
  const other = archive.replace('"type":"turn_to_read","subject":2', '$&2');
  expect(other).not.toBe(archive);
  expect(
    await restored(
      'other',
      withRows(other, (rows) => rows),
    ),
  ).toEqual([]);
});

it('an archive of an earlier version, which has no such rows, can be restored', async () => {
  const earlier = archive.replaceAll(/,"turn_to_read":\d+/g, '');
  expect(earlier).not.toBe(archive);
  const rows = (all: string[]) => all.filter((row) => !isToRead(row));
  expect(await restored('earlier', withRows(earlier, rows))).toEqual([]);
});
