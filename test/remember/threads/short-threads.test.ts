import { describe, expect, it } from 'vitest';
import { dumpOf, linesWith } from '../../support/database/dump.ts';
import { failingStatements } from '../../support/database/failing-statements.ts';
import { FORGET_MEMORY, memoryOf, ranges } from '../../support/episodes.ts';
import { chat, type ModelRequest } from '../../support/models/model-server.ts';
import {
  answerTo,
  createModelWorld,
  DESCRIPTION,
  DETAILS,
} from '../../support/models/model-world.ts';
import { say } from '../../support/samples/conversation.ts';
import { shortTalk } from '../../support/samples/short-talks.ts';

const stepOf = ({ body }: ModelRequest) => body.response_format?.json_schema?.name ?? '';
const countOf = (requests: readonly ModelRequest[]) => {
  const counts: Record<string, number> = {};
  for (const request of requests) counts[stepOf(request)] = (counts[stepOf(request)] ?? 0) + 1;
  return counts;
};
/** Of those that read a thread for its parts and summaries. */
const readings = (requests: readonly ModelRequest[]) =>
  requests
    .map(stepOf)
    .filter((step) => ['find_boundaries', 'describe_segment', 'compact'].includes(step));

const part = (first: number, title: string) => ({
  ...DESCRIPTION,
  ...{ first, title, confidence: 0.9, level: 'LOW' },
});
/** A model that reads threads so, and does the rest as usual. */
const reads = (reply: object) => (asked: ModelRequest) =>
  stepOf(asked) === 'find_boundaries' ? chat(reply) : answerTo(asked);

const EIGHT = '2026-03-02T08:00:00Z';
/** A world in which a talk was said that is over. */
async function talked(
  answer: (asked: ModelRequest) => ReturnType<typeof chat>,
  { settings = {}, turns = 4 }: { settings?: Record<string, string>; turns?: number } = {},
) {
  const own = await createModelWorld(answer, settings);
  const client = await own.world.user('short');
  const said = await say(client, { channel: 'sms', turns: shortTalk(0, EIGHT).slice(0, turns) });
  return { own, ...own, client, said };
}

const compactions = async (client: Parameters<typeof memoryOf>[0]) =>
  (await memoryOf(client)).events
    .filter(({ kind }) => kind === 'THREAD_COMPACTED')
    .map(({ decision }) => decision);

type Talk = ReturnType<typeof shortTalk>;

it.each([
  ['', (turns: Talk) => [turns]],
  [' and come turn by turn', (turns: Talk) => turns.map((turn) => [turn])],
])(
  'seven sessions of four turns%s cost one request each for parts and summaries, one for facts, one for links',
  {
    timeout: 120_000,
  },
  async (_how, inCalls) => {
    await using own = await createModelWorld((asked) => answerTo(asked), { EMBEDDER: 'built-in' });
    const { world, server } = own;
    for (let session = 0; session < 7; session += 1) {
      const client = await world.user('texting');
      for (const turns of inCalls(shortTalk(session, world.now.toISOString()))) {
        await say(client, { channel: 'sms', turns });
        await world.settle();
      }
      own.pass(4 * 3_600);
      await world.settle();
    }
    // The first session has nothing to be linked with.
    expect(countOf(server.requests)).toEqual({
      find_boundaries: 7,
      extract_facts: 7,
      assess_relatedness: 6,
    });
    expect(server.requests.length / 28).toBeLessThan(0.75);
    const { threads } = await memoryOf(await world.user('texting'));
    // The newest.
    expect(threads).toHaveLength(5);
    for (const { compactedThrough, primaryEpisode, segments } of threads) {
      expect(compactedThrough).toBe(4);
      expect(primaryEpisode).toMatchObject({
        ...{ firstTurn: 1, lastTurn: 4, generatedBy: 'MODEL' },
        ...{ title: DESCRIPTION.title, micro: DESCRIPTION.summary, meso: DETAILS.meso },
      });
      expect(segments).toMatchObject([{ title: DESCRIPTION.title, generatedBy: 'MODEL' }]);
    }
  },
);

describe('a short thread that is over', () => {
  it.each([1, 2, 4])(
    'a short thread of %i turns is read by one request, and the log says so',
    async (turns) => {
      const skill = { name: 'Closing a valve', description: 'Close it at night.', evidence: [0] };
      const whole = { ...DETAILS, skills: [skill] };
      const { own, world, server, client } = await talked(
        reads({ segments: [part(0, 'The boiler')], whole }),
        { turns },
      );
      await using _ = own;
      await world.settle();
      expect(readings(server.requests)).toEqual(['find_boundaries']);
      const { thread, skills } = await memoryOf(client);
      expect(thread.primaryEpisode).toMatchObject({ title: 'The boiler', lastTurn: turns });
      expect(skills).toMatchObject([{ name: 'Closing a valve', evidenceTurns: [1] }]);
      expect(await compactions(client)).toEqual([
        `thread.compact (${turns} turns, 1 skills, by small, with its boundaries)`,
      ]);
    },
  );

  it.each([
    ['has several parts', { segments: [part(0, 'The boiler'), part(2, 'The valve')], whole: null }],
    ['has parts and is told', { segments: [part(0, 'a'), part(2, 'b')], whole: DETAILS }],
    ['is not told', { segments: [part(0, 'The boiler')], whole: null }],
  ])('a short thread that %s is compacted by a separate request', async (_what, reply) => {
    const { own, world, server, client } = await talked(reads(reply));
    await using _ = own;
    await world.settle();
    expect(readings(server.requests)).toEqual(['find_boundaries', 'compact']);
    expect(await compactions(client)).toEqual(['thread.compact (4 turns, 0 skills, by small)']);
  });

  it('a short thread is read step by step where a step has a model of its own', async () => {
    const settings = { REASONER_STEPS: 'compact=large' };
    const { own, world, server, client } = await talked((asked) => answerTo(asked), { settings });
    await using _ = own;
    await world.settle();
    expect(readings(server.requests)).toEqual(['find_boundaries', 'compact']);
    expect(await compactions(client)).toEqual(['thread.compact (4 turns, 0 skills, by large)']);
  });

  it('a short thread that has grown is read again', async () => {
    const { own, world, server, client } = await talked((asked) => answerTo(asked));
    await using _ = own;
    await world.settle();
    const more = shortTalk(0, '2026-03-02T08:10:00Z');
    await say(client, { channel: 'sms', turns: more });
    await world.settle();
    const { thread } = await memoryOf(client);
    expect(thread).toMatchObject({ turnCount: 8, compactedThrough: 8 });
    expect(readings(server.requests)).toEqual(['find_boundaries', 'find_boundaries', 'compact']);
    expect(await compactions(client)).toHaveLength(2);
  });

  it('nothing is stored of a short thread if a late turn arrived or a turn was forgotten meanwhile', async () => {
    let isFirst = true;
    let meanwhile = async () => {};
    const { own, world, server, client, said } = await talked(() => chat({}));
    await using _ = own;
    server.answer = async (asked) => {
      if (stepOf(asked) !== 'find_boundaries') return answerTo(asked);
      const shown = asked.body.messages?.at(-1)?.content ?? '';
      const told = shown.includes('seal') ? 'The seal' : 'The valve';
      if (isFirst) {
        isFirst = false;
        await meanwhile();
      }
      const whole = { ...DETAILS, meso: `${told} was talked about.` };
      return chat({ segments: [part(0, told)], whole });
    };
    meanwhile = async () => {
      const late = [{ text: 'It drips a lot.', occurredAt: '2026-03-02T08:00:30Z' }];
      await say(client, { channel: 'sms', turns: late });
      await client.execute(FORGET_MEMORY, { input: { turnId: said[3]?.id ?? '' } });
    };
    await world.settle();
    expect(readings(server.requests)).toEqual(['find_boundaries', 'find_boundaries']);
    const { thread, segments } = await memoryOf(client);
    expect(ranges(segments)).toEqual([[1, 4]]);
    expect(thread.primaryEpisode).toMatchObject({ lastTurn: 4, title: 'The valve' });
    expect(linesWith(await dumpOf(world), 'seal')).toEqual([]);
  });

  it('a short thread is stored completely or not at all, and read again after a failure', async () => {
    const { own, world, server, client } = await talked((asked) => answerTo(asked));
    await using _ = own;
    let saves = 0;
    world.with({
      db: failingStatements(world.ctx.db, (name) => {
        if (name === 'compactions-save') saves += 1;
        return name === 'compactions-save' && saves === 1 ? new Error('killed') : null;
      }),
    });
    await world.settle();
    const half = await memoryOf(client);
    expect([half.segments, half.thread.compactedThrough]).toEqual([[], 0]);
    own.pass(60);
    await world.settle();
    expect(readings(server.requests)).toEqual(['find_boundaries', 'find_boundaries']);
    const { segments, events } = await memoryOf(client);
    expect(ranges(segments)).toEqual([[1, 4]]);
    const kinds = events.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'SEGMENT_CLOSED')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'THREAD_COMPACTED')).toHaveLength(1);
  });

  it('the next thread waits for a short thread, since it is compared with its summary', async () => {
    await using own = await createModelWorld((asked) => answerTo(asked));
    const { world, server } = own;
    world.configured({ debounce: { 'segment-thread': 3_000 } });
    const client = await world.user('waiting');
    await say(client, { channel: 'sms', turns: shortTalk(0, EIGHT) });
    await say(client, { channel: 'sms', turns: shortTalk(1, '2026-03-02T08:55:00Z') });
    await world.settle();
    expect(countOf(server.requests)).not.toHaveProperty('assess_relatedness');
    own.pass(4);
    await world.settle();
    expect(readings(server.requests)).toEqual(['find_boundaries']);
    const [asked] = server.requests.filter((request) => stepOf(request) === 'assess_relatedness');
    expect(asked?.body.messages?.at(-1)?.content).toContain(`Summary: ${DESCRIPTION.summary}`);
  });
});
