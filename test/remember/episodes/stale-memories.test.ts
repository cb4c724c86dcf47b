import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import {
  consolidate,
  echo,
  knowledgeOf,
  recorder,
  synthesize,
} from '../../support/consolidation.ts';
import { rowsWith } from '../../support/database/dump.ts';
import { FORGET_MEMORY, talk } from '../../support/episodes.ts';
import type { ForgetInput } from '../../support/generated/graphql.ts';
import { say } from '../../support/samples/conversation.ts';
import { DENTIST, DENTIST_AGAIN, tellIn } from '../../support/samples/conversations.ts';
import { talkOn } from '../../support/samples/days.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
let reasoner: Context['reasoner'];
beforeAll(async () => {
  world = await createWorld();
  ({ reasoner } = world.ctx);
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.restore();
  world.now = new Date('2026-03-31T12:00:00Z');
});

describe('a semantic memory whose episodes change', () => {
  it('a semantic memory is stale after a merge into one of its episodes, keeps its text, and is rewritten at the end of the session', async () => {
    const client = await world.user('merge');
    const tell = tellIn(world);
    await tell(client, '2026-03-02T09:00:00Z', DENTIST);
    await consolidate(client);
    await synthesize(client);
    const [before] = (await knowledgeOf(client)).memories;
    const during: Awaited<ReturnType<typeof knowledgeOf>>[] = [];
    world.with({
      reasoner: {
        ...reasoner,
        generatedBy: 'MODEL',
        summarizeEpisodes: async (input, call) => {
          // Two threads that are linked are told together, too: before the merge is captured, or after it.
          during.push(await knowledgeOf(client));
          return reasoner.summarizeEpisodes(input, call);
        },
      },
    });
    expect(await tell(client, '2026-03-03T18:00:00Z', DENTIST_AGAIN)).toMatchObject({
      capture: 'MERGED',
    });
    expect(during.find(({ memories }) => memories[0]?.stale)).toMatchObject({
      memories: [{ id: before?.id, summary: before?.summary, stale: true }],
      profile: { version: 1, stale: true },
    });
    const { memories, events, profile } = await knowledgeOf(client);
    expect(memories).toMatchObject([
      { id: before?.id, stale: false, episodeCount: 1, turnCount: 9 },
    ]);
    expect(memories[0]).toMatchObject({ endedAt: '2026-03-03T18:03:00.000Z' });
    // What was merged in stands under its own day.
    const [, later] = (memories[0]?.summary ?? '').split('2026-03-03: ');
    expect(later).toMatch(/Monday at ten/);
    expect(before?.summary).toMatch(/^2026-03-02: /);
    expect(events.map(({ kind }) => kind)).toEqual([
      'SEMANTIC_MEMORY_FORMED',
      'PROFILE_REVISED',
      'SEMANTIC_MEMORY_REBUILT',
      'PROFILE_REVISED',
    ]);
    expect(profile).toMatchObject({ version: 2, stale: false });
  });

  it('a semantic memory is rewritten after an out-of-order turn in one of its episodes', async () => {
    const client = await recorder(world, 'late');
    await talkOn(world, client, 1, 3);
    const shown = echo(world);
    const turns = [{ text: 'The new flat is in Foz.', occurredAt: '2026-03-01T09:00:30Z' }];
    await say(client, { channel: 'sms', turns });
    await world.settle();
    expect(shown).toHaveLength(1);
    const { memories, episodes, events } = await knowledgeOf(client);
    expect(memories).toMatchObject([{ stale: false, episodeCount: 3, turnCount: 7 }]);
    expect(memories[0]?.summary).toBe(episodes.map(({ summary }) => summary).join(' '));
    expect(events.at(-2)?.decision).toMatch(/^memory\.rebuild \(3 episodes, 7 turns, by /);
  });

  it('a change during the rewriting of a semantic memory is included', async () => {
    const client = await recorder(world, 'meanwhile');
    await talkOn(world, client, 1, 1);
    let isFirst = true;
    world.with({
      reasoner: {
        ...reasoner,
        generatedBy: 'MODEL',
        summarizeEpisodes: async ({ episodes }) => {
          if (isFirst) {
            isFirst = false;
            const turns = [{ text: 'The new flat is in Foz.', occurredAt: '2026-03-01T09:00:30Z' }];
            await say(client, { channel: 'sms', turns });
            await world.settle();
          }
          return { summary: episodes.map(({ summary }) => summary).join(' ') };
        },
      },
    });
    await consolidate(client);
    await world.settle();
    const { memories, episodes } = await knowledgeOf(client);
    expect(memories).toMatchObject([{ turnCount: 3, stale: false }]);
    expect(memories[0]?.summary).toBe(episodes[0]?.summary);
  });
});

const SECRET = 'We hid the zanzibar papers under the barn.';
const told = async (userId: string) => {
  const client = await recorder(world, userId);
  await talkOn(world, client, 1, 2);
  const turns = talk([SECRET, 'The barn has a dry floor.'], '2026-03-03T09:00:00Z');
  const [secret] = await say(client, { channel: 'sms', turns });
  await world.settle();
  return { client, turnId: secret?.id ?? '', threadId: secret?.thread.id ?? '' };
};
const forget = async (client: Client, input: ForgetInput) =>
  (await client.execute(FORGET_MEMORY, { input })).forget;

it('forgetting a turn erases the texts of memory and profile at once; both are made again', async () => {
  echo(world);
  const { client, turnId } = await told('forget-turn');
  expect(await rowsWith(world, 'zanzibar')).toEqual(
    expect.arrayContaining(['episodes', 'profiles', 'semantic_memories']),
  );
  const before = await knowledgeOf(client);
  expect(await forget(client, { turnId })).toMatchObject({ semanticMemories: 1, profiles: 1 });
  expect(await rowsWith(world, 'zanzibar')).toEqual([]);
  expect(await knowledgeOf(client)).toMatchObject({
    memories: [{ id: before.memories[0]?.id, summary: null, stale: true }],
    history: before.history.slice(1),
  });
  expect(before.history[1]?.sourceSemanticIds).toEqual([]);
  await world.settle();
  expect(await rowsWith(world, 'zanzibar')).toEqual([]);
  const after = await knowledgeOf(client);
  expect(after).toMatchObject({
    memories: [{ id: before.memories[0]?.id, episodeCount: 3, turnCount: 5, stale: false }],
    profile: { version: (before.profile?.version ?? 0) + 1 },
  });
  expect(after.memories[0]?.summary).toMatch(/Porto/);
});

it('forgetting all episodes of a semantic memory erases the memory', async () => {
  echo(world);
  const client = await recorder(world, 'forget-all');
  await talkOn(world, client, 1, 3);
  const turns = talk(['The okapi ate my hat.', 'Oh.'], '2026-03-05T09:00:00Z');
  const [turn] = await say(client, { channel: 'sms', turns });
  await world.settle();
  await consolidate(client);
  await synthesize(client);
  const threadId = turn?.thread.id ?? '';
  expect(await rowsWith(world, 'okapi')).toContain('semantic_memories');
  expect(await forget(client, { threadId })).toMatchObject({ semanticMemories: 1, profiles: 1 });
  expect(await rowsWith(world, 'okapi')).toEqual([]);
  expect((await knowledgeOf(client)).memories).toMatchObject([{ episodeCount: 3, stale: false }]);
  await world.settle();
  const { profile, memories } = await knowledgeOf(client);
  expect(profile?.sourceSemanticIds).toEqual([memories[0]?.id]);
});

it('forgetting erases texts that a model wrote with the erased summary as context', async () => {
  echo(world, { repeatsContext: true });
  const { client, turnId } = await told('forget-context');
  await talkOn(world, client, 4, 6);
  const before = await knowledgeOf(client);
  expect(before.memories.map(({ summary }) => /zanzibar/i.test(summary ?? ''))).toEqual([
    true,
    true,
  ]);
  const gone = await forget(client, { turnId });
  expect(gone).toMatchObject({
    semanticMemories: 2,
    profiles: before.history.filter(({ sourceSemanticIds }) => sourceSemanticIds.length > 0).length,
  });
  expect(await rowsWith(world, 'zanzibar')).toEqual([]);
  await world.settle();
  expect(await rowsWith(world, 'zanzibar')).toEqual([]);
  expect((await knowledgeOf(client)).memories).toMatchObject([
    { stale: false, summary: expect.stringMatching(/roof|tarpaulin|Meetings/) },
    { stale: false, summary: expect.stringMatching(/Porto/) },
  ]);
});

it('a forgotten user leaves nothing, and a running step writes nothing back', async () => {
  const { client } = await told('forget-user');
  await talkOn(world, client, 4, 4);
  const shown = echo(world);
  const { reasoner } = world.ctx;
  world.with({
    reasoner: {
      ...reasoner,
      summarizeEpisodes: async (input, call) => {
        const made = await reasoner.summarizeEpisodes(input, call);
        await forget(client, { everythingOf: 'forget-user' });
        return made;
      },
    },
  });
  expect(await consolidate(client)).toMatchObject({ episodesProcessed: 0 });
  await world.settle();
  expect(shown).toHaveLength(1);
  expect(await rowsWith(world, 'zanzibar')).toEqual([]);
  for (const table of ['semantic_memories', 'semantic_memory_vectors', 'profiles']) {
    const left = `SELECT FROM ${table} WHERE user_id = 'forget-user'`;
    expect((await world.ctx.db.pool.query(left)).rowCount).toBe(0);
  }
});
