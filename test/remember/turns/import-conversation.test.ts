import { afterAll, beforeAll, expect, it } from 'vitest';
import { graphql } from '../../support/generated/gql.ts';
import { turnsOf } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const IMPORT = graphql(`
  mutation Import($input: ImportConversationInput!) {
    importConversation(input: $input) {
      __typename
      ... on ImportPayload {
        stored
        alreadyStored
        forgotten
      }
      ... on Error {
        message
      }
    }
  }
`);

it('a conversation of the past is imported in its own time, and only once', async () => {
  const client = await world.user('import');
  const day = (n: number) => `2023-05-0${n}T10:00:00Z`;
  const input = {
    self: 'Caroline',
    turns: [
      { speaker: 'Melanie', text: 'Hey Caroline!', occurredAt: day(2) },
      { speaker: 'Caroline', text: 'Hey Mel!', occurredAt: day(1) },
      { speaker: 'Caroline', text: 'Hey Mel!', occurredAt: day(1) },
    ],
  };
  const first = await client.execute(IMPORT, { input });
  expect(first.importConversation).toMatchObject({ stored: 3, alreadyStored: 0 });
  const second = await client.execute(IMPORT, { input });
  expect(second.importConversation).toMatchObject({ stored: 0, alreadyStored: 3 });
  await world.settle();
  const turns = await turnsOf(client);
  expect(turns.map((turn) => [turn.role, turn.speaker, turn.occurredAt])).toEqual([
    ['USER', 'Caroline', '2023-05-01T10:00:00.000Z'],
    ['USER', 'Caroline', '2023-05-01T10:00:00.000Z'],
    ['OTHER', 'Melanie', '2023-05-02T10:00:00.000Z'],
  ]);
  expect(new Set(turns.map((turn) => turn.thread.id)).size).toBe(2);
  const nobody = await client.execute(IMPORT, { input: { ...input, self: 'Bob' } });
  expect(nobody.importConversation).toMatchObject({
    __typename: 'InvalidInputError',
    message: expect.stringContaining('Melanie'),
  });
});

it('an imported conversation is divided into threads by time, even on an explicit channel', async () => {
  const client = await world.user('import-web');
  const turns = [1, 2].map((n) => ({
    speaker: 'Ada',
    text: `turn ${n}`,
    occurredAt: `2023-05-0${n}T10:00:00Z`,
  }));
  const input = { self: 'Ada', channel: 'web', turns };
  expect((await client.execute(IMPORT, { input })).importConversation).toMatchObject({ stored: 2 });
  expect(new Set((await turnsOf(client)).map((turn) => turn.thread.id)).size).toBe(2);
});

it('an import repeated with another self is refused with an explanation', async () => {
  const client = await world.user('import-other-self');
  const turns = ['Ada', 'Bob'].map((speaker) => ({
    speaker,
    text: `I am ${speaker}`,
    occurredAt: '2023-05-01T10:00:00Z',
  }));
  await client.execute(IMPORT, { input: { self: 'Ada', turns } });
  const { importConversation } = await client.execute(IMPORT, { input: { self: 'Bob', turns } });
  expect(importConversation).toMatchObject({ __typename: 'InvalidInputError' });
});
