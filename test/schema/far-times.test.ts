import { afterAll, beforeAll, expect, it } from 'vitest';
import { say } from '../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../support/world.ts';

let world: World;
let ann: Client;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
  ann = await world.user('ann');
  await say(ann, { channel: 'sms', turns: [{ text: 'My cat is Luna.' }] });
  await world.settle();
});
afterAll(() => world[Symbol.asyncDispose]());

/** Before the year 1 and after the year 9999 in UTC, though two of them look as if they were not. */
const EARLY = ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00'];
const LATE = ['9999-12-31T23:59:59-12:00'];

const RECORD = `mutation ($validFrom: DateTime!) {
  recordFact(input: { category: IDENTITY, key: "profile:city", value: "Porto", validFrom: $validFrom }) {
    __typename
    ... on InvalidInputError { issues { path message } }
  }
}`;

it('a fact cannot begin before the year 1 or after the year 9999, and the input says so', async () => {
  for (const validFrom of [...EARLY, ...LATE]) {
    const { body } = await ann.post({ query: RECORD, variables: { validFrom } });
    const message = 'must lie between 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z';
    expect(body.data).toEqual({
      recordFact: {
        __typename: 'InvalidInputError',
        issues: [{ path: 'input.validFrom', message }],
      },
    });
  }
  for (const validFrom of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) {
    const { body } = await ann.post({ query: RECORD, variables: { validFrom } });
    expect(body.data).toMatchObject({ recordFact: { __typename: 'Fact' } });
  }
});

/** Fields that select by a time. */
const SELECTIONS: [string, (time: string) => string][] = [
  ...['threads', 'episodes', 'events', 'links'].flatMap((list): typeof SELECTIONS => [
    [
      `${list} from`,
      (time) => `${list}(first: 5, from: "${time}") { edges { node { __typename } } }`,
    ],
    [`${list} to`, (time) => `${list}(first: 5, to: "${time}") { edges { node { __typename } } }`],
  ]),
  ['facts at', (time) => `facts(first: 5, at: "${time}") { edges { node { id } } }`],
  ['facts knownAt', (time) => `facts(first: 5, knownAt: "${time}") { edges { node { id } } }`],
];

it.each(SELECTIONS)('%s takes any time', async (_name, fieldOf) => {
  for (const time of [...EARLY, ...LATE]) {
    const { body } = await ann.post({ query: `{ viewer { ${fieldOf(time)} } }` });
    expect(body.errors).toBeUndefined();
  }
});
