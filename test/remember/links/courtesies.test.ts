import { expect, it } from 'vitest';
import { linksOf, tellThreads } from '../../support/links.ts';
import { createWorld } from '../../support/world.ts';

it.each([
  [
    'OK.',
    [
      'Put new strings on the violin today.',
      'The compost bin is full again.',
      'The gutter needs a new bracket.',
      'Milo lost his first tooth.',
      'The printer wants magenta ink.',
    ],
  ],
  [
    'Okay, thanks!',
    ['The swans are back on the pond.', 'My boots are at the cobbler.', 'Leon learns to swim.'],
  ],
])('unrelated one-liners that are all answered by %j are not linked', async (reply, lines) => {
  await using world = await createWorld();
  const client = await world.user('courtesies');
  await tellThreads(
    world,
    client,
    lines.map((line) => [line, reply]),
  );
  const { links, episodes, threads } = await linksOf(client);
  expect(threads).toHaveLength(lines.length);
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter(({ joins, verdict }) => joins || verdict === 'LINK')).toEqual([]);
  expect(episodes).toEqual([]);
});
