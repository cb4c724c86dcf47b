import { describe, expect, it } from 'vitest';
import { boundaryFeatures } from '../../../src/domain/segments/boundary-features.ts';
import {
  boundaryLogits,
  cutAt,
  findTopicStarts,
} from '../../../src/domain/segments/boundary-model.ts';
import type { TimedTurn } from '../../../src/domain/segments/exchange-boundaries.ts';

/** Somebody's talk, a turn a minute. */
const told = (texts: readonly string[]): TimedTurn[] =>
  texts.map((text, at) => ({ role: 'OTHER', text, occurredAt: new Date(at * 60_000) }));

const places = (logits: number[], single = 1) =>
  cutAt(logits, { threshold: 0, single }).map(({ index }) => index);

describe('cutting', () => {
  it.each([
    { name: 'nothing over the threshold', logits: [-1, -2, -0.1], cuts: [] },
    { name: 'what is over the threshold', logits: [-1, 2, -3, 1, -1], cuts: [2, 4] },
    { name: 'the better of two neighbours', logits: [-3, 0.6, 0.9, -3], cuts: [3] },
    { name: 'both neighbours if both are sure', logits: [-3, 2, 2, -3], cuts: [2, 3] },
    { name: 'no weak topic of the first turn', logits: [0.4, -3, -3], cuts: [] },
    { name: 'a sure topic of the first turn', logits: [0.6, -3, -3], cuts: [1] },
    { name: 'no weak topic of the last turn', logits: [-3, -3, 0.4], cuts: [] },
    { name: 'a window of one turn', logits: [], cuts: [] },
  ])('cutAt takes $name', ({ logits, cuts }) => {
    expect(places(logits)).toEqual(cuts);
  });

  it('cutAt finds the best of all sets of cuts', () => {
    const logits = [0.3, 1.2, 0.4, -0.2, 0.9, 0.7, -1, 1.5];
    const total = (cuts: number[]) => {
      const starts = [0, ...cuts, logits.length + 1];
      const cost = starts.slice(1).map((end, topic) => {
        if (end - (starts[topic] ?? 0) > 1) return 0;
        return topic === 0 || end === logits.length + 1 ? 0.5 : 1;
      });
      const won = cuts.map((cut) => logits[cut - 1] ?? 0);
      return won.reduce((a, b) => a + b, 0) - cost.reduce<number>((a, b) => a + b, 0);
    };
    const every = Array.from({ length: 2 ** logits.length }, (_, set) =>
      logits.flatMap((_logit, gap) => ((set >> gap) & 1 ? [gap + 1] : [])),
    );
    expect(total(places(logits))).toBeCloseTo(Math.max(...every.map(total)));
  });

  it('the confidence of a cut follows its odds above the threshold', () => {
    const [cut] = cutAt([-3, 1, -3], { threshold: -1, single: 1 });
    expect(cut?.confidence).toBeCloseTo(1 / (1 + Math.exp(-2)));
  });
});

describe('log odds', () => {
  it('log odds add up features, interactions with the kind of talk and squares', () => {
    const features = {
      gaps: 2,
      values: new Map([['dip1', [1, 3]]]),
      kind: { task: 0.6, chat: 0.2 },
    };
    const logits = boundaryLogits(features, {
      intercept: -1,
      threshold: 0,
      single: 1,
      kind: { task: [0.4, 0.2], chat: [0.4, 0.1] },
      // z = (value − 1) / 2; task = 1; chat = −2.
      features: { dip1: [1, 2, 2, 0.5, 0.25, 0.1], gone: [0, 1, 9, 9, 9, 9] },
    });
    // Kinds enter by half, the second no further out than 1.5; squares by 0.7.
    expect(logits[0]).toBeCloseTo(-1 - 0.1 * 0.7);
    expect(logits[1]).toBeCloseTo(-1 + 2 + 0.5 * 0.5 - 0.25 * 1.5 * 0.5);
  });
});

describe('finding topics', () => {
  it('the model uses only features that it was fitted with', () => {
    const { values } = boundaryFeatures(['hi', 'there'], null);
    expect(findTopicStarts(told(['hi', 'there']), null).length).toBeLessThanOrEqual(1);
    expect(values.size).toBeGreaterThan(50);
  });

  it.each([[[]], [['hello']]])('there is no topic start in %j', (texts) => {
    expect(findTopicStarts(told(texts), null)).toEqual([]);
  });

  it('topic starts are the same on every call', () => {
    const texts = [
      'I need a taxi.',
      'Booked. Anything else?',
      'No, thanks.',
      'Is it cold outside?',
    ];
    expect(findTopicStarts(told(texts), null)).toEqual(findTopicStarts(told(texts), null));
  });
});
