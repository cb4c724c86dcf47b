import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { boundaryLogits } from '../../src/domain/segments/boundary-model.ts';
import { parseLocomo } from '../../tools/eval/locomo.ts';
import { baselinesOf } from '../../tools/eval/segmentation/baselines.ts';
import { judgeFolds, scoreJudged } from '../../tools/eval/segmentation/cross-validate.ts';
import { exampleOf, fitBoundaries } from '../../tools/eval/segmentation/fit-boundaries.ts';
import { spliceSessions } from '../../tools/eval/segmentation/splice-sessions.ts';
import { tool } from '../support/command.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, tool('eval/eval-segmentation', ...args));

describe('eval:segmentation', () => {
  it('eval:segmentation scores the built-in segmentation and simple rules', {
    timeout: 60_000,
  }, async () => {
    const { stdout } = await run(path('segmentation-fixture.jsonl'));
    const result = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
    const { 'segmentation-fixture.jsonl': own, ...setting } = result;
    expect(own).toMatchObject({ conversations: 2, crossValidated: false });
    expect(own.f1).toBeGreaterThan(0.5);
    expect(own.baselines.never).toMatchObject({ f1: 0, recall: 0 });
    expect(Object.keys(own.baselines)).toEqual(['never', 'every 4', 'TextTiling', 'plain depth']);
    for (const name of ['pk', 'windowDiff']) expect(own[name]).toBeLessThanOrEqual(1);
    expect(setting).toMatchObject({ reasoner: 'extractive/1', embedder: expect.any(String) });
    expect(stdout).toContain('TextTiling');
  });

  it('an unreadable file is reported in one line', { timeout: 60_000 }, async () => {
    await expect(run(path('locomo-fixture.json'))).rejects.toMatchObject({
      stderr: expect.stringMatching(/^\S*locomo-fixture\.json holds no JSON lines of .*\n$/),
    });
  });
});

describe('spliced sessions', () => {
  const turn = (session: number, at: number) => ({
    id: `D${session}:${at}`,
    speaker: 'Ana',
    text: `${session}/${at}`,
    occurredAt: '2026-01-05T09:00:00.000Z',
  });
  const conversation = {
    ...parseLocomo('[]')[0],
    id: 'c',
    self: 'Ana',
    questions: [],
    turns: Array.from({ length: 8 }, (_, s) =>
      Array.from({ length: 14 }, (_turn, at) => turn(s + 1, at + 1)),
    ).flat(),
  };

  it('spliced sessions are runs of 4-10 turns of different sessions, the same each time', () => {
    const splices = spliceSessions(conversation, { threads: 5 });
    expect(splices).toEqual(spliceSessions(conversation, { threads: 5 }));
    expect(splices).toHaveLength(5);
    for (const { utterances, boundaries } of splices) {
      const starts = [0, ...boundaries, utterances.length];
      const runs = starts.slice(1).map((end, run) => utterances.slice(starts[run], end));
      expect(runs).toHaveLength(6);
      expect(new Set(runs.map(([first]) => first?.split('/')[0])).size).toBe(6);
      for (const run of runs) {
        expect(run.length).toBeGreaterThanOrEqual(4);
        expect(run.length).toBeLessThanOrEqual(10);
        expect(new Set(run.map((text) => text.split('/')[0])).size).toBe(1);
      }
    }
  });
});

describe('fitting', () => {
  const vectors = (count: number, at: number) =>
    Array.from({ length: count }, (_, i) => {
      const angle = (i < at ? 0 : 1.4) + i * 0.01;
      return Float32Array.from([Math.cos(angle), Math.sin(angle)]);
    });
  const dialogues = Array.from({ length: 20 }, (_, i) => {
    const at = 3 + (i % 4);
    return {
      id: `${i}`,
      source: `${i}`,
      utterances: Array.from({ length: 10 }, (_u, turn) => `${turn < at ? 'apples' : 'trains'}`),
      boundaries: [at],
      vectors: vectors(10, at),
    };
  });
  const examples = dialogues.map((dialogue) => exampleOf('own', dialogue, true));

  it('the fitted weights find the topic changes, in unseen dialogues, too', () => {
    const weights = fitBoundaries(examples, 0);
    for (const [index, { features }] of examples.entries()) {
      const logits = boundaryLogits(features, weights);
      expect(logits.indexOf(Math.max(...logits)) + 1).toBe(dialogues[index]?.boundaries[0]);
    }
    const judged = judgeFolds(examples);
    expect(judged).toHaveLength(examples.length);
    const scores = scoreJudged(judged, { threshold: -1, single: 1 });
    expect(scores.get('own')?.f1).toBeGreaterThan(0.9);
  });

  it('the plain-depth baseline finds the boundary of a clear dialogue', () => {
    const depth = baselinesOf(5).find(([name]) => name === 'plain depth')?.[1];
    const [dialogue] = dialogues;
    expect(dialogue && depth?.(dialogue)).toEqual(dialogue?.boundaries);
  });
});
