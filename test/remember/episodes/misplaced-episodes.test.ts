import { expect, it } from 'vitest';
import { consolidate, knowledgeOf, recorder } from '../../support/consolidation.ts';
import { MOVE_MISPLACED, talk } from '../../support/episodes.ts';
import { factsOf } from '../../support/facts.ts';
import { graphql } from '../../support/generated/gql.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld } from '../../support/world.ts';

const MISPLACED = graphql(`
  query Misplaced {
    viewer {
      misplacedEpisodes {
        episode {
          id
          capture
        }
        facts {
          key
          value
        }
      }
    }
  }
`);

const FACTS = ['Just so you know, my new email is ana@example.org.', 'Noted.'];
const STORY = [
  'The storm tore forty tiles off the roof of the barn last night, and half of the hay got wet. My name is Ana, by the way.',
  'Then the barn should hold until the roofer comes, Ana.',
];

it('stable facts stored as episodes are found, and moved through the API; nothing is deleted', async () => {
  await using world = await createWorld();
  world.now = new Date('2026-03-31T12:00:00Z');
  const client = await recorder(world, 'misplaced');
  for (const [texts, day] of [
    [FACTS, '2026-03-01T09:00:00Z'],
    [STORY, '2026-03-02T09:00:00Z'],
    [
      FACTS.map((text) => text.replace('email is ana@example.org', 'phone is +351 912 345 678')),
      '2026-03-03T09:00:00Z',
    ],
  ] as const) {
    await say(client, { channel: 'sms', turns: talk([...texts], day) });
    await world.settle();
  }
  const before = await knowledgeOf(client);
  expect(before.episodes.map(({ capture }) => capture)).toEqual(Array(3).fill('CREATED'));
  expect(before.memories).toMatchObject([{ episodeCount: 3 }]);
  const [email, story, phone] = before.episodes.map(({ id }) => id);

  const found = async () => (await client.execute(MISPLACED)).viewer?.misplacedEpisodes;
  const proposed = [
    { episode: { id: email, capture: 'CREATED' }, facts: [{ key: 'profile:email' }] },
    { episode: { id: phone, capture: 'CREATED' }, facts: [{ key: 'profile:phone' }] },
  ];
  expect(await found()).toMatchObject(proposed);
  expect(await knowledgeOf(client)).toEqual(before);

  const other = await recorder(world, 'another');
  expect((await other.execute(MISPLACED)).viewer?.misplacedEpisodes).toEqual([]);
  const refused = [
    await other.execute(MOVE_MISPLACED, { userId: 'misplaced' }),
    await other.execute(MOVE_MISPLACED, { episodeIds: [phone ?? ''] }),
  ].map(({ moveMisplacedEpisodes }) => moveMisplacedEpisodes);
  expect(refused).toMatchObject(Array(2).fill({ code: 'NOT_FOUND' }));

  const facts = await factsOf(client);
  const one = await client.execute(MOVE_MISPLACED, { episodeIds: [phone ?? '', story ?? ''] });
  expect(one.moveMisplacedEpisodes).toMatchObject({
    episodes: [{ id: phone, capture: 'SKIPPED', summary: expect.any(String) }],
  });
  expect(await found()).toMatchObject([proposed[0] as object]);
  await client.execute(MOVE_MISPLACED, {});
  expect(await found()).toEqual([]);
  expect((await client.execute(MOVE_MISPLACED, {})).moveMisplacedEpisodes).toMatchObject({
    episodes: [],
  });
  await world.settle();
  await consolidate(client);
  const { episodes, memories } = await knowledgeOf(client);
  expect(episodes).toMatchObject([
    { id: email, capture: 'SKIPPED', summarizedInto: null },
    { id: story, capture: 'CREATED', summarizedInto: { id: memories[0]?.id } },
    { id: phone, capture: 'SKIPPED', summarizedInto: null },
  ]);
  expect(memories).toMatchObject([{ episodeCount: 1, stale: false }]);
  expect(memories[0]?.summary).not.toContain('example.org');
  expect((await factsOf(client)).facts).toEqual(facts.facts);
});
