import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { say, sayAt } from '../support/samples/conversation.ts';
import { fullMemory } from '../support/samples/full-memory.ts';
import { type Client, createWorld, type World } from '../support/world.ts';

type Edges<Node> = { edges: { node: Node }[] };

/** Queries a connection of the viewer and returns its nodes. */
async function nodes<Node>(client: Client, field: string, selection: string): Promise<Node[]> {
  const { body } = await client.post({
    query: `{ viewer { list: ${field} { edges { node { ${selection} } } } } }`,
  });
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  const { viewer } = body.data as unknown as { viewer: { list: Edges<Node> } };
  return viewer.list.edges.map(({ node }) => node);
}

/** Queries a connection of the viewer that is refused, and returns the code. */
async function refusal(client: Client, field: string): Promise<string | undefined> {
  const { body } = await client.post({
    query: `{ viewer { list: ${field} { edges { node { id } } } } }`,
  });
  return body.errors?.[0]?.extensions?.code;
}

describe('threads', () => {
  let world: World;
  let ann: Client;
  beforeAll(async () => {
    world = await createWorld({ EMBEDDER: 'none' });
    ann = await world.user('ann');
    const said = (channel: string, day: string, texts: string[], title?: string) =>
      say(ann, {
        channel,
        ...(title ? { newThread: { title } } : {}),
        turns: texts.map((text, minute) => ({
          text,
          occurredAt: `2026-02-${day}T08:0${minute}:00Z`,
        })),
      });
    await said('sms', '01', ['The heron was fishing.', 'It caught two trouts.']);
    await said('web', '10', ['Let us plan.', 'Flights are booked.'], 'Porto trip');
    await said('email', '20', ['The trout was delicious.']);
    const bob = await world.user('bob');
    await sayAt(bob, '2026-02-01T08:00:00Z', 'A heron of my own, and a trout.');
    await world.settle();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const channels = async (filter: string) =>
    (await nodes<{ channels: string[] }>(ann, `threads${filter}`, 'channels')).map(
      (node) => node.channels[0],
    );

  it.each([
    ['', ['email', 'web', 'sms']],
    ['(from: "2026-02-10T08:01:00Z")', ['email', 'web']],
    ['(from: "2026-02-10T08:01:01Z")', ['email']],
    ['(to: "2026-02-10T08:00:00Z")', ['sms']],
    ['(to: "2026-02-10T08:00:01Z")', ['web', 'sms']],
    ['(from: "2026-02-05T00:00:00Z", to: "2026-02-15T00:00:00Z")', ['web']],
    ['(channel: " SMS")', ['sms']],
    ['(channel: "fax")', []],
    ['(state: IDLE)', ['email', 'web', 'sms']],
    ['(state: CLOSED)', []],
    ['(words: "herons")', ['sms']],
    ['(words: "trout")', ['email', 'sms']],
    ['(words: "heron trout")', ['sms']],
    ['(words: "heron flights")', []],
    ['(words: "porto TRIP")', ['web']],
    ['(words: "trout", channel: "email")', ['email']],
    ['(words: "the")', []],
    ['(words: "trout", first: 1)', ['email']],
  ])('threads%s are filtered to %j', async (filter, expected) => {
    expect(await channels(filter)).toEqual(expected);
  });

  it('an empty span and blank words are refused', async () => {
    const span = 'from: "2026-02-10T08:00:00Z", to: "2026-02-10T08:00:00Z"';
    for (const field of [
      `threads(${span})`,
      `episodes(${span})`,
      `events(${span})`,
      `links(${span})`,
    ]) {
      expect(await refusal(ann, field)).toBe('INVALID_INPUT');
    }
    expect(await refusal(ann, 'threads(words: " ")')).toBe('INVALID_INPUT');
    expect(await refusal(ann, 'episodes(below: 0)')).toBe('INVALID_INPUT');
    expect(await refusal(ann, 'facts(search: "")')).toBe('INVALID_INPUT');
    expect(await refusal(ann, 'facts(state: PAST, knownAt: "2026-02-10T08:00:00Z")')).toBe(
      'INVALID_INPUT',
    );
  });

  it.each([
    ['usage(days: 0) { day }', 'days', 'must be 1 to 366'],
    ['usage(days: 367) { day }', 'days', 'must be 1 to 366'],
    ['skills(first: 0) { name }', 'first', 'must be 1 to 100'],
    ['skills(first: 101) { name }', 'first', 'must be 1 to 100'],
  ])('a number out of range is refused: %s', async (field, path, message) => {
    const { body } = await ann.post({ query: `{ viewer { ${field} } }` });
    const refused = { code: 'INVALID_INPUT', issues: [{ path, message }] };
    expect(body.errors?.[0]?.extensions).toMatchObject(refused);
  });
});

describe('in a full memory', () => {
  let world: World;
  let alex: Client;
  beforeAll(async () => {
    ({ world, alex } = await fullMemory());
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it('episodes are filtered by time, and by how far they have faded', async () => {
    type Node = { id: string; startedAt: string; endedAt: string; retrievability: number | null };
    const all = await nodes<Node>(
      alex,
      'episodes(first: 100)',
      'id startedAt endedAt retrievability',
    );
    const middle = all[Math.floor(all.length / 2)] as Node;
    const ids = async (filter: string) =>
      (await nodes<Node>(alex, `episodes(first: 100, ${filter})`, 'id')).map(({ id }) => id);
    const idsOf = (kept: (node: Node) => boolean) => all.filter(kept).map(({ id }) => id);
    expect(await ids(`from: "${middle.endedAt}"`)).toEqual(
      idsOf(({ endedAt }) => endedAt >= middle.endedAt),
    );
    expect(await ids(`to: "${middle.startedAt}"`)).toEqual(
      idsOf(({ startedAt }) => startedAt < middle.startedAt),
    );
    const fading = all.flatMap(({ retrievability }) => retrievability ?? []);
    expect(fading.length).toBeGreaterThan(1);
    const sorted = [...new Set(fading)].sort((a, b) => a - b);
    const between = sorted.slice(1).map((value, index) => (value + (sorted[index] ?? 0)) / 2);
    for (const below of [...between, 0.000001, 1]) {
      expect(await ids(`below: ${below}`)).toEqual(
        idsOf(({ retrievability }) => retrievability !== null && retrievability < below),
      );
    }
  });

  it('facts are filtered by state, words and polarity', async () => {
    type Node = {
      id: string;
      statement: string;
      polarity: string;
      active: boolean;
      retractedAt: string | null;
      validTo: string | null;
    };
    const facts = (filter: string) =>
      nodes<Node>(
        alex,
        `facts(first: 100${filter})`,
        'id statement polarity active retractedAt validTo',
      );
    const all = await facts(', state: ALL');
    const byId = (some: Node[]) => some.map(({ id }) => id).sort();
    const kept = (test: (node: Node) => boolean) => byId(all.filter(test));
    const active = await facts('');
    expect(byId(active)).toEqual(byId(await facts(', state: ACTIVE')));
    const retracted = await facts(', state: RETRACTED');
    expect(byId(retracted)).toEqual(kept(({ retractedAt }) => retractedAt !== null));
    expect(byId(await facts(', state: PAST'))).toEqual(
      kept(({ validTo, retractedAt }) => retractedAt === null && validTo !== null),
    );
    expect(byId(await facts(', state: ALL, polarity: NEGATIVE'))).toEqual(
      kept(({ polarity }) => polarity === 'NEGATIVE'),
    );
    const word = /\w{4,}/.exec(active[0]?.statement ?? '')?.[0] ?? '';
    const found = await facts(`, search: "${word.toUpperCase()}"`);
    expect(found.map(({ id }) => id)).toContain(active[0]?.id);
    expect(byId(found)).toEqual(
      byId(found.filter(({ statement }) => statement.toLowerCase().includes(word.toLowerCase()))),
    );
    for (const search of ['100%_', '%', '\\\\\\\\'])
      expect(await facts(`, search: "${search}"`)).toEqual([]);
  });

  it('events are filtered by kind, thread and time', async () => {
    type Node = { number: number; kind: string; at: string; thread: { id: string } | null };
    const events = (filter: string) =>
      nodes<Node>(alex, `events(first: 100${filter})`, 'number kind at thread { id }');
    const all = await events('');
    const threadId = all.find(({ thread }) => thread)?.thread?.id ?? '';
    const numbers = (some: Node[]) => some.map(({ number }) => number);
    const among = (some: Node[]) =>
      numbers(some.filter(({ number }) => number <= (all.at(-1)?.number ?? 0)));
    const kept = (test: (node: Node) => boolean) => numbers(all.filter(test));
    expect(among(await events(', kinds: [THREAD_OPENED, FACT_RECORDED]'))).toEqual(
      kept(({ kind }) => kind === 'THREAD_OPENED' || kind === 'FACT_RECORDED'),
    );
    expect(among(await events(`, threadId: "${threadId}"`))).toEqual(
      kept(({ thread }) => thread?.id === threadId),
    );
    const at = all[50]?.at ?? '';
    expect(among(await events(`, from: "${at}"`))).toEqual(kept((event) => event.at >= at));
    expect(among(await events(`, to: "${at}"`))).toEqual(kept((event) => event.at < at));
    const other = await sayAt(await world.user('other'), '08:00', 'hello');
    expect(await events(`, threadId: "${other.thread.id}"`)).toEqual([]);
    expect(await events(', threadId: "nonsense"')).toEqual([]);
  });

  it('links are filtered by the time of the decision', async () => {
    type Node = { id: string; decidedAt: string };
    const links = (filter: string) =>
      nodes<Node>(alex, `links(first: 100${filter})`, 'id decidedAt');
    const all = await links('');
    expect(all.length).toBeGreaterThan(0);
    const at = all[0]?.decidedAt ?? '';
    const ids = (some: Node[]) => some.map(({ id }) => id);
    expect(ids(await links(`, from: "${at}"`))).toEqual(
      ids(all.filter((one) => one.decidedAt >= at)),
    );
    expect(ids(await links(`, to: "${at}"`))).toEqual(ids(all.filter((one) => one.decidedAt < at)));
  });

  it('a turn shows its closed segment and the facts that it states, with a fixed number of statements', async () => {
    type Node = {
      number: number;
      thread: { id: string };
      segment: { kind: string; firstTurn: number; lastTurn: number; thread: { id: string } } | null;
      facts: { statement: string; turns: { number: number }[] }[];
    };
    const selection = `number thread { id } segment { kind firstTurn lastTurn thread { id } }
      facts { statement turns { number } }`;
    const turns = (first: number) => nodes<Node>(alex, `turns(first: ${first})`, selection);
    const found = await turns(100);
    const inSegments = found.filter(({ segment }) => segment);
    expect(inSegments.length).toBeGreaterThan(5);
    for (const { number, thread, segment } of inSegments) {
      expect(segment).toMatchObject({ kind: 'SEGMENT', thread });
      expect(segment?.firstTurn).toBeLessThanOrEqual(number);
      expect(segment?.lastTurn).toBeGreaterThanOrEqual(number);
    }
    const facts = found.flatMap((turn) => turn.facts.map((fact) => ({ fact, turn })));
    expect(facts.length).toBeGreaterThan(1);
    for (const { fact, turn } of facts) {
      expect(fact.turns.map(({ number }) => number)).toContain(turn.number);
    }
    const statements = async (first: number) => {
      world.statements.length = 0;
      await turns(first);
      return world.statements.length;
    };
    expect(await statements(50)).toBe(await statements(10));
  });
});
