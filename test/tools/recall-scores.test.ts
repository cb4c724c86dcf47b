import { describe, expect, it } from 'vitest';
import { recallAt, scoreAnswers, scoreByCategory } from '../../tools/eval/recall-scores.ts';

describe('recallAt', () => {
  it.each([
    [1, ['a'], ['a', 'b'], 1],
    [1, ['b'], ['a', 'b'], 0],
    [2, ['b', 'c'], ['a', 'b', 'c'], 0.5],
    [5, ['a'], [], 0],
  ])(
    'recallAt(%i) with the wanted turns %j and the found turns %j is %d',
    (k, wanted, found, share) => {
      expect(recallAt(k, wanted, found)).toBe(share);
    },
  );
});

describe('scoreAnswers', () => {
  const answers = [
    { category: 1, evidence: ['D1:1', 'D2:1'], found: ['D3:1', 'D3:2', 'D1:1', 'D4:1'] },
    { category: 4, evidence: ['D5:9'], found: ['D5:1', 'D6:1', 'D7:1', 'D8:1', 'D8:2', 'D5:9'] },
  ];

  it('recall is averaged over questions, whatever their number of evidence turns', () => {
    expect(scoreAnswers(answers)).toMatchObject({ 'recall@5': 0.25, 'recall@10': 0.75 });
  });

  it('a question counts as a hit when any of its evidence is found', () => {
    expect(scoreAnswers(answers)).toMatchObject({ 'hit@5': 0.5, 'hit@10': 1 });
  });

  it('sessions are ranked by their best turn', () => {
    expect(scoreAnswers(answers)).toMatchObject({ 'session@1': 0.5, 'session@3': 0.75 });
  });

  it('each category is scored separately', () => {
    expect(scoreByCategory(answers)).toEqual({
      'multi-hop': { questions: 1, 'recall@5': 0.5, 'recall@10': 0.5 },
      'single-hop': { questions: 1, 'recall@5': 0, 'recall@10': 1 },
    });
  });
});
