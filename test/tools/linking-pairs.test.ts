import { describe, expect, it } from 'vitest';
import { linkingPairs } from '../../tools/eval/linking-pairs.ts';

const dialogue = (id: string, lengths: readonly number[]) => {
  const boundaries = lengths
    .slice(0, -1)
    .map((_, i) => lengths.slice(0, i + 1).reduce((a, b) => a + b, 0));
  const utterances = lengths.flatMap((length, topic) =>
    Array.from({ length }, (_, i) => `${id}.${topic}.${i}`),
  );
  return { id, utterances, boundaries };
};
const DIALOGUES = [dialogue('a', [4, 6, 3]), dialogue('b', [5, 4]), dialogue('c', [4])];

describe('linkingPairs', () => {
  const pairs = linkingPairs(DIALOGUES);

  it('positive pairs are the two halves of one topic, with two utterances or more each', () => {
    const positives = pairs.filter(({ kind }) => kind === 'positive');
    expect(positives).toHaveLength(5);
    expect(positives[0]).toEqual({
      kind: 'positive',
      dialogue: 'a',
      thread: { from: 0, texts: ['a.0.0', 'a.0.1'] },
      message: { from: 2, texts: ['a.0.2', 'a.0.3'] },
    });
  });

  it('each positive pair has a negative pair from another dialogue or the neighbouring topic', () => {
    const negatives = pairs.filter(({ kind }) => kind !== 'positive');
    expect(negatives).toHaveLength(5);
    for (const { kind, thread, message } of negatives) {
      const [left, right] = [thread.texts[0]?.split('.'), message.texts[0]?.split('.')];
      expect(left?.[0] === right?.[0]).toBe(kind === 'hard');
      expect(left?.slice(0, 2)).not.toEqual(right?.slice(0, 2));
    }
  });

  it('the pairs are the same for the same seed', () => {
    expect(linkingPairs(DIALOGUES)).toEqual(pairs);
  });
});
