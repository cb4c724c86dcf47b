import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consolidate, recorder } from '../support/consolidation.ts';
import { rowsWith } from '../support/database/dump.ts';
import { FORGET_MEMORY, talk } from '../support/episodes.ts';
import { sayFacts } from '../support/facts.ts';
import { graphql } from '../support/generated/gql.ts';
import { alexWorld, recallAll, STORES } from '../support/recall.ts';
import { say } from '../support/samples/conversation.ts';
import type { Client, World } from '../support/world.ts';

let world: World;
let alex: Client;
beforeAll(async () => {
  ({ world, alex } = await alexWorld());
});
afterAll(() => world[Symbol.asyncDispose]());

const ask = (query: string, input: object = {}) => recallAll(alex, { query, ...input });

describe('stage 2: candidates of every kind', () => {
  it('What did we discuss about databases? finds the episode on FAISS and pgvector', async () => {
    const { episodes } = await ask('What did we discuss about databases?', { detail: 'HIGH' });
    expect(episodes[0]?.summary).toMatch(/pgvector/);
    expect(episodes[0]?.explain).toMatchObject({ bm25Rank: 1 });
    expect(episodes[0]?.turns.map(({ text }) => text)).toEqual(STORES);
    const { episodes: near } = await ask('Where are embeddings stored?', { kinds: ['EPISODE'] });
    expect(near[0]?.explain.similarity).toBeGreaterThan(0);
  });

  it('turns, episodes, semantic memories and skills are found by their words', async () => {
    const { kinds } = await ask('Which washer did the dripping kitchen tap need?', { first: 20 });
    expect(kinds).toEqual(expect.arrayContaining(['TURN', 'EPISODE']));
    const { memories } = await ask('Volvo, roof, cello', { kinds: ['SEMANTIC_MEMORY'] });
    expect(memories[0]?.semanticMemory?.episodeCount).toBeGreaterThan(2);
    await world.ctx.db.pool.query(
      `INSERT INTO skills (user_id, episode_id, number, name, description, generated_by, evidence_turns)
       SELECT user_id, id, 9, 'Mending a tap', 'Change the rubber washer.', 'EXTRACTIVE', '{}' FROM episodes
       WHERE user_id = 'alex' AND kind = 'PRIMARY' ORDER BY id DESC LIMIT 1`,
    );
    const { skills } = await ask('How do I mend a tap?', { kinds: ['SKILL'] });
    expect(skills[0]).toMatchObject({ name: 'Mending a tap', skill: { name: 'Mending a tap' } });
  });

  it('an irregular form finds the regular one', async () => {
    const { episodes } = await ask('Who sells a Volvo?', { kinds: ['EPISODE'] });
    expect(episodes[0]?.explain.bm25).toBeGreaterThan(0);
    expect(episodes[0]?.summary).toMatch(/Volvo/);
  });

  it('filters apply to every kind: time, channel, thread, and what was known then', async () => {
    const titles = async (input: object) =>
      (
        await ask('Volvo roof tap databases', { kinds: ['EPISODE'], first: 20, ...input })
      ).episodes.map(({ title, summary }) => /Volvo|roof|tap|pgvector/.exec(title + summary)?.[0]);
    expect((await titles({})).length).toBeGreaterThan(2);
    expect(new Set(await titles({ channels: ['web'] }))).toEqual(new Set(['tap']));
    const march2 = { from: '2026-03-02T00:00:00Z', to: '2026-03-03T00:00:00Z' };
    expect(await titles(march2)).toEqual(['roof']);
    expect(await titles({ asOf: '2026-03-02T23:00:00Z' })).not.toContain('Volvo');
    const [volvo] = (await ask('Volvo', { kinds: ['EPISODE'] })).episodes;
    const threadIds = [volvo?.episode?.thread?.id];
    expect(await titles({ threadIds })).toEqual(['Volvo']);
    const { range } = await ask('Volvo', march2);
    expect(range).toEqual({
      ...{ from: '2026-03-02T00:00:00.000Z' },
      to: '2026-03-03T00:00:00.000Z',
      text: null,
      filters: true,
    });
    const { hits } = await ask('cello', { threadIds, kinds: ['FACT', 'SEMANTIC_MEMORY', 'SKILL'] });
    expect(hits.filter(({ kind }) => kind === 'FACT')).toEqual([]);
  });
});

describe('stage 3: ranking', () => {
  it('final score = fused score × retrievability × weight of the kind, sorted, then cut', async () => {
    const { hits } = await ask('What of the roof of the barn?', { first: 8 });
    expect(hits.length).toBeLessThanOrEqual(8);
    expect(hits.map(({ rank }) => rank)).toEqual(hits.map((_, index) => index + 1));
    for (const { score, explain } of hits) {
      const sum = explain.parts.reduce((total, { value }) => total + value, 0);
      expect(explain.fused).toBeCloseTo(sum, 9);
      expect(score).toBeCloseTo(sum * explain.forgetting * explain.kindWeight, 9);
    }
    expect(hits).toEqual(hits.toSorted((a, b) => b.score - a.score));
  });

  it('an episode fades by FSRS, down to the floor, and nothing is deleted for its age; a turn fades with its segment', async () => {
    const at = async (asOf: string) => {
      const { episodes, turns } = await ask('What of the roof of the barn?', { asOf });
      return { episode: episodes[0]?.explain, turn: turns[0]?.explain };
    };
    const soon = await at('2026-03-06T12:00:00Z');
    const later = await at('2027-03-20T12:00:00Z');
    expect(soon.episode?.retrievability).toBeGreaterThan(later.episode?.retrievability ?? 1);
    expect(later.episode?.forgetting).toBeGreaterThanOrEqual(later.episode?.retrievability ?? 1);
    expect(later.episode?.forgetting).toBeGreaterThan(0.5);
    expect(soon.turn?.retrievability).toBeCloseTo(soon.episode?.retrievability ?? 0, 9);
    const { rows } = await world.ctx.db.pool.query(
      `SELECT count(*)::int AS moved FROM episodes WHERE last_reviewed_at IS NOT NULL`,
    );
    expect(rows).toEqual([{ moved: 0 }]);
  });

  it('ordinary questions get 1 to 3 recent episodes; recall intent raises them, and a recap stays in', async () => {
    const query = 'the roof, the Volvo, the cello and the school';
    const plain = await ask(`Tell me of ${query}.`);
    expect(plain.intent).toBe('ORDINARY');
    expect(plain.episodes.length).toBeGreaterThanOrEqual(1);
    expect(plain.episodes.length).toBeLessThanOrEqual(3);
    const asked = await ask(`Do you remember what we talked about, ${query}?`);
    expect(asked.intent).toBe('RECALL');
    expect(asked.episodes.length).toBeGreaterThanOrEqual(3);
    expect(asked.memories.length).toBeGreaterThanOrEqual(1);
    const weight = ({ episodes: [first] }: typeof plain) => ({
      kind: first?.explain.kindWeight ?? 0,
      recency: first?.explain.parts.find(({ name }) => name === 'RECENCY')?.value ?? 0,
    });
    const raised = await ask(query, { recallIntent: true, kinds: ['EPISODE'] });
    const usual = await ask(query, { recallIntent: false, kinds: ['EPISODE'] });
    expect(weight(raised).kind).toBeGreaterThan(weight(usual).kind);
    expect(weight(raised).recency).toBeGreaterThan(weight(usual).recency);
  });

  it('RECALL_FUSION=rrf fuses by reciprocal ranks with k = 60', async () => {
    const { recall } = world.ctx.config;
    using _ = world.configured({ recall: { ...recall, fusion: 'rrf' } });
    const { hits } = await ask('What of the roof of the barn?');
    for (const { explain } of hits) {
      const of = (place: number | null | undefined) => (place ? 1 / (60 + place) : 0);
      expect(explain.fused).toBeCloseTo(of(explain.bm25Rank) + of(explain.vectorRank), 9);
    }
  });
});

describe('what comes of it', () => {
  const surprise = (value: number) =>
    world.ctx.db.pool.query(
      `UPDATE episodes SET surprise = $1 WHERE user_id = 'alex' AND capture = 'CREATED'`,
      [value],
    );

  it('detail level AUTO shows the messages of key moments at ranks 1-2', async () => {
    const given = async (detail: string) => {
      const { episodes } = await ask('roof Volvo cello', { kinds: ['EPISODE'], detail });
      return episodes.map(({ turns }) => turns.length > 0);
    };
    expect(await given('AUTO')).not.toContain(true);
    expect(await given('HIGH')).not.toContain(false);
    await surprise(0.7);
    expect((await given('AUTO')).slice(0, 3)).toEqual([true, true, false]);
    expect((await given('LOW')).slice(0, 2)).toEqual([true, false]);
    expect(await given('NONE')).not.toContain(true);
    const { markdown } = await ask('Alex and the roof?', { kinds: ['EPISODE', 'FACT'] });
    await surprise(0.1);
    expect(markdown).toMatch(/^## Semantic Memory$[\s\S]*^## Episodic Memories$/m);
    expect(markdown).toMatch(/^- \[identity\] .*Alex.* \(sources: 1 conversation\)$/m);
    expect(markdown).toMatch(/^### .* \[rank: \d+, score: \d\.\d\d, key moment\]$/m);
    expect(markdown).toMatch(/^\*\*When:\*\* 2 weeks ago$/m);
    expect(markdown).toMatch(/^\*\*Details:\*\*\n> user: The storm tore/m);
  });

  it('detail level AUTO shows two matching turns of other episodes that are not hits themselves', async () => {
    const query = 'Did our databases decide between FAISS and pgvector?';
    const { episodes, turns } = await ask(query, { first: 5 });
    const hits = turns.map(({ turn }) => turn?.text);
    const said = episodes.map((episode) => episode.turns.map(({ text }) => text));
    const [stores] = said.filter((texts) => texts.some((text) => STORES.includes(text)));
    expect(stores?.length).toBeGreaterThan(0);
    expect(said.every((texts) => texts.length <= 2)).toBe(true);
    expect(said.flat().filter((text) => hits.includes(text))).toEqual([]);
    const { episodes: bare } = await ask(query, { first: 5, detail: 'NONE' });
    expect(bare.flatMap((episode) => episode.turns)).toEqual([]);
  });

  it('a token budget leaves out the least useful and says how much', async () => {
    const whole = await ask('What of the roof of the barn?', { detail: 'HIGH' });
    expect(whole.leftOut).toEqual({ facts: 0, hits: 0, details: 0 });
    for (const maxTokens of [60, 200, 400]) {
      const cut = await ask('What of the roof of the barn?', { detail: 'HIGH', maxTokens });
      expect(cut.tokens).toBeLessThanOrEqual(maxTokens);
      expect(cut.leftOut.hits).toBe(whole.hits.length - cut.hits.length);
      expect(cut.leftOut.facts).toBe(whole.facts.length - cut.facts.length);
      expect(cut.leftOut.hits + cut.leftOut.facts).toBeGreaterThan(0);
      const ranks = cut.hits.map(({ rank }) => rank);
      expect(ranks).toEqual([...new Set(ranks)].toSorted((a, b) => a - b));
    }
    const ample = await ask('What of the roof of the barn?', { maxTokens: 100_000 });
    expect(ample.leftOut).toEqual({ facts: 0, hits: 0, details: 0 });
  });

  it('recent memories are those of the last days, the newest first, and only key moments if asked', async () => {
    const { recentMemories } = await alex.execute(RECENT, { days: 17, keyMomentsOnly: false });
    if (!('memories' in recentMemories)) throw new Error(JSON.stringify(recentMemories));
    const ends = recentMemories.memories.map(({ episode }) => episode?.endedAt ?? '');
    expect(ends.length).toBeGreaterThan(2);
    expect(ends).toEqual([...ends].sort().reverse());
    expect(ends.every((end) => end >= '2026-03-03T12:00:00')).toBe(true);
    expect(recentMemories.markdown).toMatch(/## Recent Memories[\s\S]*\*\*When:\*\*/);
    await surprise(0.1);
    const only = await alex.execute(RECENT, { days: 400, keyMomentsOnly: true });
    expect(only.recentMemories).toMatchObject({ memories: [] });
  });

  it('recent memories with more text than an answer may have are refused', async () => {
    const { limits } = world.ctx.config;
    using _ = world.configured({ limits: { ...limits, answerBytes: 100 } });
    const query = '{ recentMemories(days: 400, detail: HIGH) { __typename } }';
    const { body } = await alex.post({ query });
    expect(body.errors).toMatchObject([{ extensions: { code: 'ANSWER_TOO_LARGE' } }]);
  });

  it('forgotten memories are found in no kind, and their words no longer count', async () => {
    const client = await recorder(world, 'forgetful');
    const threadIds: string[] = [];
    for (const [day, texts] of [
      ['2026-03-01', ['A walrus slept on the pier.', 'A big walrus?', 'Yes, a walrus.']],
      ['2026-03-02', ['The walrus came back to the ferry.', 'Did the ferry wait?', 'It did.']],
    ] as const) {
      const [turn] = await say(client, { channel: 'sms', turns: talk(texts, `${day}T09:00:00Z`) });
      threadIds.push(turn?.thread.id ?? '');
      await world.settle();
    }
    await sayFacts(world, client, '2026-03-03T09:00:00Z', 'I like the walrus.');
    await consolidate(client);
    await world.settle();
    const input = { query: 'walrus ferry', kinds: ['EPISODE' as const], recallIntent: true };
    const before = await recallAll(client, input);
    const ferry = before.episodes.find(({ title }) => /ferry/.test(title));
    await client.execute(FORGET_MEMORY, { input: { threadId: threadIds[0] as string } });
    await world.settle();
    const after = await recallAll(client, input);
    expect(after.episodes.map(({ summary }) => summary).join()).not.toMatch(/pier/);
    const left = after.episodes.find(({ title }) => /ferry/.test(title));
    expect(left?.explain.bm25).not.toBe(ferry?.explain.bm25);
    expect(await rowsWith(world, 'pier')).toEqual([]);
  });
});

const RECENT = graphql(`
  query Recent($days: Float!, $keyMomentsOnly: Boolean!) {
    recentMemories(days: $days, keyMomentsOnly: $keyMomentsOnly, first: 50) {
      __typename
      ... on RecentMemoriesPayload {
        markdown
        memories {
          keyMoment
          episode {
            endedAt
          }
          turns {
            text
          }
        }
      }
    }
  }
`);
