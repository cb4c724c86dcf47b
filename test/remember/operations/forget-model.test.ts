import { expect, it, vi } from 'vitest';
import { consolidateNow } from '../../../src/remember/knowledge/consolidate.ts';
import { synthesizeProfileNow } from '../../../src/remember/knowledge/synthesize-profile.ts';
import { forget } from '../../../src/remember/operations/forget.ts';
import { readGlobalId } from '../../../src/schema/core/global-id.ts';
import { dumpOf, linesWith } from '../../support/database/dump.ts';
import { chat, type ModelRequest } from '../../support/models/model-server.ts';
import { answerTo, createModelWorld, DESCRIPTION } from '../../support/models/model-world.ts';
import { say } from '../../support/samples/conversation.ts';

vi.setConfig({ testTimeout: 120_000 });

/** All names that a request holds: what a model may repeat anywhere. */
const namesIn = (text: string) =>
  [...new Set(text.match(/\b(?:Quixotl|Zorbania|Vexmoor|Plinthorpe|Python)\b/g) ?? [])].join(
    ' and ',
  );

/** A model that mixes into everything all that it was shown. */
function mixing(asked: ModelRequest) {
  const step = asked.body.response_format?.json_schema?.name ?? '';
  const shown = asked.body.messages?.at(-1)?.content ?? '';
  const names = namesIn(shown);
  const told = {
    ...DESCRIPTION,
    title: `A talk about ${names} and more`,
    summary: `They talked of ${names}.`,
  };
  const own = { ...told, topic: names || 'this', approach: names };
  switch (step) {
    case 'extract_facts':
      return chat({ facts: factsIn(shown, names) });
    case 'find_boundaries':
      return chat({
        segments: [0, 3]
          .filter((first) => shown.includes(`[${first + 1}]`))
          .map((first) => ({ first, confidence: 1, level: 'LOW', ...own })),
        whole: detailsOf(own.summary, names),
      });
    case 'compact':
      return chat({
        heading: { title: own.title, topic: own.topic, approach: own.approach },
        micro: own.summary,
        ...detailsOf(own.summary, names),
      });
    case 'summarize_episodes':
      return chat({ summary: own.summary });
    case 'synthesize_profile': {
      const prose = own.summary;
      return chat({
        communication: names,
        technical: names,
        workPattern: '',
        personalContext: names,
        prose,
      });
    }
    case 'assess_relatedness': {
      const threads = shown.match(/^<thread>/gm)?.length ?? 0;
      const one = { related: true, confidence: 0.95, reasoning: own.summary, keySignals: [names] };
      return chat({ assessments: Array(threads).fill(one) });
    }
    case 'judge_surprise':
    case 'rate_retrieved':
      return answerTo(asked);
    default:
      return chat(own);
  }
}

const detailsOf = (text: string, names: string) => ({
  meso: text,
  macro: text,
  skills: [{ name: `Talking of ${names}`, description: text, evidence: [0] }],
});

const factsIn = (shown: string, names: string) =>
  [...shown.matchAll(/^\[(\d+)\] USER [^\n]*Python/gm)].map(([, turn]) => ({
    action: 'NEW',
    factId: null,
    category: 'PREFERENCE',
    key: 'preference:python',
    value: 'Python',
    statement: `The user uses ${names}.`,
    polarity: 'POSITIVE',
    scope: names,
    confidence: 1,
    importance: 0.9,
    isCorrection: false,
    turn: Number(turn),
  }));

const TALKS = [
  [
    'I use Python at Quixotl.',
    'I see.',
    'I use Python for Zorbania, too.',
    'Good.',
    'And I use Python.',
  ],
  ['Python at Vexmoor is what I use.', 'I see.', 'It is Python with Plinthorpe.', 'Good.'],
  ['Which Python do I use?', 'The newest.', 'So I use Python still.', 'Good.'],
];

it.each([
  ['turn', 0, ['quixotl']],
  ['turn', 2, ['zorbania']],
  ['thread', 0, ['quixotl', 'zorbania']],
  ['thread', 5, ['vexmoor', 'plinthorpe']],
] as const)(
  'with a model that mixes everything it is shown, forgetting a %s (%i) leaves no word of it',
  async (kind, place, words) => {
    await using own = await createModelWorld(mixing, { EPISODIC_CAPTURE: 'everything' });
    const { world } = own;
    const client = await world.user('mixed');
    world.now = new Date('2026-03-03T09:00:00Z');
    const said: { id: string; thread: { id: string } }[] = [];
    for (const [talk, texts] of TALKS.entries()) {
      const turns = texts.map((text, minute) => ({
        text,
        role: minute % 2 ? ('ASSISTANT' as const) : ('USER' as const),
        occurredAt: new Date(Date.UTC(2026, 2, 2, 8 + talk, minute)).toISOString(),
      }));
      said.push(...(await say(client, { channel: 'sms', newThread: {}, turns })));
      await world.settle();
    }
    own.pass(3_600);
    await world.settle();
    await consolidateNow(world.ctx, 'mixed');
    await synthesizeProfileNow(world.ctx, 'mixed');
    await world.settle();
    const left = async () => {
      const dump = await dumpOf(world);
      return words.flatMap((word) => linesWith(dump, word));
    };
    expect((await left()).length).toBeGreaterThan(8);
    const idOf = (id?: string) => Number(readGlobalId(id ?? '')?.key.at(-1));
    const target =
      kind === 'turn'
        ? { kind, id: idOf(said[place]?.id) }
        : { kind, id: idOf(said[place]?.thread.id) };
    await forget(world.ctx, 'mixed', target);
    expect(await left()).toEqual([]);
    own.pass(3_600);
    await world.settle();
    await consolidateNow(world.ctx, 'mixed');
    await world.settle();
    expect(await left()).toEqual([]);
    const { rows } = await world.ctx.db.pool.query(
      `SELECT f.key, f.value, count(*)::int AS turns
       FROM facts f JOIN fact_sources s ON s.user_id = f.user_id AND s.fact_id = f.id GROUP BY 1, 2`,
    );
    expect(rows).toMatchObject([{ key: 'preference:python', value: 'Python' }]);
    expect(rows[0]?.turns).toBeGreaterThan(1);
  },
);
