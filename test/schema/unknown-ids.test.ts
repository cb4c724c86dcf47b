import { encodeGlobalID } from '@pothos/plugin-relay';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sayAt } from '../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../support/world.ts';

let world: World;
const clients: Record<string, Client> = {};
beforeAll(async () => {
  world = await createWorld();
  const ada = await world.user('ada');
  await sayAt(ada, '08:00', 'I moved to Leeds.');
  clients.token = ada;
  clients.key = await world.key();
});
afterAll(() => world[Symbol.asyncDispose]());

const TYPES = ['Thread', 'Episode', 'Fact', 'SemanticMemory', 'Turn', 'Profile', 'Link', 'Skill'];
const NESTED: Record<string, string> = {
  thread:
    '{ id primaryEpisode { id } segments { edges { node { id } } } turns { edges { node { id } } } }',
  episode: '{ id thread { id } parent { id } segments { edges { node { id } } } skills { name } }',
  fact: '{ id supersededBy { id } turns { id text } }',
};

describe.each(['token', 'key'])('with a %s', (viewer) => {
  const ask = async (query: string) => {
    const { body } = await (clients[viewer] as Client).post({ query });
    return body;
  };
  const userId = viewer === 'key' ? 'userId: "ada", ' : '';

  it.each(['abc', '', '99', 'unused', 'of another user', 'of another type'])(
    'a query by an id that the memory does not have returns null, also with nested fields: %s',
    async (kind) => {
      for (const [name, fields] of Object.entries(NESTED)) {
        const type = name[0]?.toUpperCase() + name.slice(1);
        const key = {
          unused: ['ada', 4711],
          'of another user': ['bob', 1],
          'of another type': ['ada', 1],
        }[kind];
        const typename = kind === 'of another type' ? 'Turn' : type;
        const id = key ? encodeGlobalID(typename, JSON.stringify(key)) : kind;
        expect(await ask(`{ ${name}(${userId}id: ${JSON.stringify(id)}) ${fields} }`)).toEqual({
          data: { [name]: null },
        });
      }
    },
  );

  it.each(TYPES)('a node that the memory does not have is null: %s', async (type) => {
    const numbers = type === 'Skill' ? [4711, 1] : [4711];
    const id = encodeGlobalID(type, JSON.stringify(['ada', ...numbers]));
    expect(await ask(`{ node(id: ${JSON.stringify(id)}) { id } }`)).toEqual({
      data: { node: null },
    });
  });
});

it('viewer is null with an API key, and user is null for an unknown or impossible name, also with nested fields', async () => {
  const threads = '{ id threads { edges { node { id } } } facts { edges { node { id } } } }';
  const { body } = await (clients.key as Client).post({
    query: `{ viewer ${threads} user(userId: "") ${threads} nobody: user(userId: "zoe") ${threads} }`,
  });
  expect(body).toEqual({ data: { viewer: null, user: null, nobody: null } });
});
