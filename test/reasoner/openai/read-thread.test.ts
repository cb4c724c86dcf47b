import { describe, expect, it } from 'vitest';
import { CALL, createModelReasoner, promptOf, talk } from '../../support/models/model-reasoner.ts';
import { chat } from '../../support/models/model-server.ts';

const turns = talk(['USER', 'The tap drips.'], ['ASSISTANT', 'A new washer.'], ['USER', 'Done.']);
const description = {
  title: 'A washer for the dripping tap',
  summary: 'The user put a new washer into the tap.',
  topic: 'a dripping tap',
  approach: 'with a washer',
  outcomes: [],
};
const { outcomes: _, summary: micro, ...heading } = description;
const part = (first: number) => ({ first, confidence: 1, level: 'LOW', ...description });
const skill = (turn: number) => ({
  name: 'Mending a tap',
  description: 'Put in a new washer.',
  evidence: [turn],
});
const whole = { meso: 'The tap dripped. A washer helped.', macro: '', skills: [skill(2)] };
const one = { choose: () => ({ model: 'small', temperature: 0 }) };

describe('reading a whole thread', () => {
  it('a thread with a single part is described and compacted by the same reply', async () => {
    await using stub = await createModelReasoner(() => chat({ segments: [part(0)], whole }), one);
    expect(stub.reasoner.readsThreads).toBe(true);
    expect(await stub.reasoner.findBoundaries({ turns, isThread: true }, CALL)).toEqual({
      boundaries: [],
      segments: [{ ...description, surprise: 0.2 }],
      compaction: { micro, heading, ...whole },
    });
    for (const words of ['- whole: null if there are several parts', '  - meso: one paragraph'])
      expect(promptOf(stub.server)).toContain(words);
    const { schema } = stub.server.requests[0]?.body.response_format?.json_schema ?? {};
    expect(schema).toMatchObject({ required: ['segments', 'whole'], additionalProperties: false });
  });

  it.each([
    ['null', [part(0)], null],
    ['nothing, for several parts', [part(0), part(2)], whole],
  ])('a thread has no compaction when the reply gives %s', async (_what, segments, told) => {
    await using stub = await createModelReasoner(() => chat({ segments, whole: told }), one);
    const found = await stub.reasoner.findBoundaries({ turns, isThread: true }, CALL);
    expect(found.compaction).toBeNull();
    expect(stub.server.requests).toHaveLength(1);
  });

  it('a skill is dropped if the turn that shows it does not exist', async () => {
    const wrong = { ...whole, skills: [skill(3)] };
    await using stub = await createModelReasoner(
      (_request, index) => chat({ segments: [part(0)], whole: index === 0 ? wrong : whole }),
      one,
    );
    const found = await stub.reasoner.findBoundaries({ turns, isThread: true }, CALL);
    expect(found.compaction?.skills).toEqual(whole.skills);
    expect(promptOf(stub.server)).toContain('there is no turn 3');
  });

  it.each([
    ['model', { model: 'large', temperature: 0 }],
    ['temperature', { model: 'small', temperature: 0.4 }],
  ])('the compaction is not requested when summaries use another %s', async (_what, other) => {
    await using stub = await createModelReasoner(() => chat({ segments: [part(0)], whole }), {
      choose: (step) => (step === 'compact' ? other : one.choose()),
    });
    expect(stub.reasoner.readsThreads).toBe(false);
    const found = await stub.reasoner.findBoundaries({ turns, isThread: true }, CALL);
    expect(found.compaction).toBeNull();
    expect(promptOf(stub.server)).not.toContain('- whole:');
  });
});
