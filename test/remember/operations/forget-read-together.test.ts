import { expect, it, vi } from 'vitest';
import { consolidateFactsNow } from '../../../src/remember/facts/consolidate-facts.ts';
import { forget } from '../../../src/remember/operations/forget.ts';
import { readGlobalId } from '../../../src/schema/core/global-id.ts';
import { chat, type ModelRequest } from '../../support/models/model-server.ts';
import { answerTo, createModelWorld } from '../../support/models/model-world.ts';
import { say } from '../../support/samples/conversation.ts';

vi.setConfig({ testTimeout: 120_000 });

/** A model that puts the name it is shown elsewhere into a fact: "Bello is a friend of Quixotl". */
function factsIn({ body }: ModelRequest) {
  const shown = body.messages?.at(-1)?.content ?? '';
  if (!shown.includes('Quixotl')) return [];
  const facts = [...shown.matchAll(/^\[(\d+)\] USER [^\n]*My pet is called (\w+)/gm)];
  return facts.map(([, turn, pet]) => ({
    action: 'NEW',
    factId: null,
    category: 'RELATIONSHIP',
    key: `relationship:${pet}`.toLowerCase(),
    value: pet,
    statement: `${pet} is a friend of Quixotl.`,
    polarity: 'POSITIVE',
    scope: null,
    confidence: 1,
    importance: 0.9,
    isCorrection: false,
    turn: Number(turn),
  }));
}

const isOfFacts = ({ body }: ModelRequest) =>
  body.response_format?.json_schema?.name === 'extract_facts';

it.each([
  ['new turns of two threads', 0],
  ['episodes of two threads, far apart', 60],
])(
  'what a model read together, %s, keeps no word of a forgotten turn that others say too',
  async (_what, between) => {
    const answer = (asked: ModelRequest) =>
      isOfFacts(asked) ? chat({ facts: factsIn(asked) }) : answerTo(asked);
    await using own = await createModelWorld(answer, {
      EPISODIC_CAPTURE: 'everything',
      CONSOLIDATION_FACT_EPISODES: '50',
    });
    const { world } = own;
    world.now = new Date('2026-03-03T09:00:00Z');
    let minute = 0;
    const talk = async (texts: readonly string[]) => {
      const turns = texts.map((text) => {
        minute += 1;
        const occurredAt = new Date(Date.UTC(2026, 2, 2, 8, minute)).toISOString();
        return { text, role: 'USER' as const, occurredAt };
      });
      return say(await world.user('mixed'), { channel: 'sms', newThread: {}, turns });
    };
    const [forgotten] = await talk(['I met Quixotl in the park.', 'It rained.', 'I went home.']);
    if (between > 0) await talk(Array.from({ length: between }, (_, place) => `Line ${place}.`));
    await talk(['My pet is called Bello.', 'He barks a lot.']);
    await world.settle();
    own.pass(3_600);
    await world.settle();
    await consolidateFactsNow(world.ctx, 'mixed');
    // Said elsewhere too, so it is not a word of the forgotten turn alone.
    await talk(['Everybody knows Quixotl by now.']);
    await world.settle();
    const statements = async () => {
      const { rows } = await world.ctx.db.pool.query(
        'SELECT f.statement, s.statement AS said FROM facts f JOIN fact_sources s USING (user_id)',
      );
      return rows;
    };
    expect(JSON.stringify(await statements())).toContain('Bello is a friend of Quixotl');
    const id = Number(readGlobalId(forgotten?.id ?? '')?.key.at(-1));
    await forget(world.ctx, 'mixed', { kind: 'turn', id });
    expect(JSON.stringify(await statements())).not.toContain('Quixotl');
  },
);
