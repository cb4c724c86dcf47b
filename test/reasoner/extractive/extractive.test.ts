import { describe, expect, it } from 'vitest';
import { ModelFailed, ModelUnavailable } from '../../../src/domain/core/errors.ts';
import { type Embedder, EmbedderFailed } from '../../../src/embedder/core/embedder.ts';
import { BUILT_IN_PROFILE } from '../../../src/embedder/core/profile.ts';
import { createExtractiveReasoner } from '../../../src/reasoner/extractive/extractive.ts';
import { STEP_SCHEMAS, type StepInput } from '../../../src/reasoner/reasoner.ts';
import { letterPairs, talk } from './talk.ts';

const CALL = { userId: 'local' };
const turns = talk([
  'Maya: Hi Tom! I moved to Bergen on 3 March, into a flat near the fish market.',
  'Tom: Lovely! Which floor is it on?',
  'Maya: The fourth, and there is no lift. My piano had to come in through the window.',
  'Tom: You should ask the landlord for the 2019 plans before you drill into any wall.',
  "Maya: Good idea. I'll call her tomorrow morning.",
]);

function embedder(embed: Embedder['embed'] = (texts) => letterPairs.vectorsOf(texts)): Embedder {
  return {
    name: 'letter-pairs',
    dimension: 64,
    profile: BUILT_IN_PROFILE,
    identify: async () => ({ name: 'letter-pairs', dimension: 64 }),
    embed,
    [Symbol.asyncDispose]: async () => {},
  };
}

const memory = { summary: 'Maya lives in Bergen and plays the piano.' };
const INPUTS = {
  describeSegment: { turns },
  findBoundaries: { turns },
  judgeSurprise: { before: turns.slice(0, 2), segment: turns.slice(2) },
  assessRelatedness: {
    threads: [{ summary: null, turns }],
    message: talk(['Maya: About that piano: the window is broken.'], 60),
  },
  extractFacts: { turns },
  isSameFact: { known: 'Maya lives in Bergen.', candidate: 'Maya lives in Oslo.' },
  compact: { turns },
  summarizeEpisodes: {
    episodes: [
      {
        title: 'Move',
        summary: 'Maya moved to Bergen on 3 March. The piano came through the window.',
        endedAt: new Date(0),
      },
    ],
  },
  synthesizeProfile: { memories: [memory] },
  rateRetrieved: { memories: [{ text: memory.summary }], turns },
} as const;

describe.each([
  ['with vectors', embedder()],
  ['without an embedder', null],
])('the built-in reasoner %s', (_how, given) => {
  const reasoner = createExtractiveReasoner({ embedder: given });

  it.each(Object.keys(INPUTS) as (keyof typeof INPUTS)[])(
    '%s returns the same result for the same input',
    async (method) => {
      const run = () => reasoner[method](INPUTS[method] as never, CALL);
      expect(await run()).toEqual(await run());
    },
  );

  it('the built-in reasoner names itself as the generator and as the model', () => {
    expect([reasoner.generatedBy, reasoner.modelOf('compact')]).toEqual([
      'EXTRACTIVE',
      'extractive/1',
    ]);
  });

  it('a step stops when its signal is aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(reasoner.compact({ turns }, { ...CALL, signal })).rejects.toThrow('enough');
  });

  it('an invalid input is rejected', async () => {
    await expect(
      reasoner.describeSegment({ turns: [] } as StepInput<'describe-segment'>, CALL),
    ).rejects.toThrow();
  });
});

describe('the built-in reasoner', () => {
  it.each([
    new EmbedderFailed('closed'),
    new ModelFailed('a text was refused', { status: 400 }),
    new ModelUnavailable('away', new Date(0)),
  ])('the built-in reasoner compares words when the embedder fails with %s', async (error) => {
    const without = createExtractiveReasoner({ embedder: null });
    const failing = createExtractiveReasoner({ embedder: embedder(() => Promise.reject(error)) });
    for (const method of Object.keys(INPUTS) as (keyof typeof INPUTS)[]) {
      const input = INPUTS[method] as never;
      expect(await failing[method](input, CALL)).toEqual(await without[method](input, CALL));
    }
  });

  it('a programming error of the embedder is not hidden', async () => {
    const failing = embedder(() => Promise.reject(new TypeError('no function')));
    const reasoner = createExtractiveReasoner({ embedder: failing });
    await expect(reasoner.findBoundaries({ turns }, CALL)).rejects.toBeInstanceOf(TypeError);
  });

  it('texts are embedded as background work of the user', async () => {
    const seen: unknown[] = [];
    const reasoner = createExtractiveReasoner({
      embedder: embedder((texts, options) => {
        seen.push(options);
        return letterPairs.vectorsOf(texts);
      }),
    });
    await reasoner.findBoundaries({ turns }, { userId: 'maya' });
    expect(seen[0]).toEqual({ priority: 'batch', as: 'document', userId: 'maya' });
  });

  it('the built-in reasoner has a method for every step', () => {
    expect(Object.keys(INPUTS)).toHaveLength(Object.keys(STEP_SCHEMAS).length);
  });
});
