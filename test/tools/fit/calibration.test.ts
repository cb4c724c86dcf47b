import { expect, it } from 'vitest';
import { bestCut, calibrate, type MeasuredTalk } from '../../../tools/fit/calibration.ts';
import { seededRandom } from '../../../tools/support/random.ts';

const DIMENSION = 64;
const random = seededRandom(7);
const noise = () => Float32Array.from({ length: DIMENSION }, () => random() - 0.5);
const unit = (vector: Float32Array) => {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};
/** Turns about one thing: a common direction, and a direction of their own that counts so much. */
const topic = (count: number, own: number) => {
  const about = unit(noise());
  return Array.from({ length: count }, () => {
    const other = unit(noise());
    return unit(about.map((value, index) => value + own * (other[index] ?? 0)));
  });
};
/** Conversations of three topics of six turns. */
const talks = (own: number): MeasuredTalk[] =>
  Array.from({ length: 20 }, () => ({
    vectors: [...topic(6, own), ...topic(6, own), ...topic(6, own)],
    boundaries: [6, 12],
  }));

it('the scale of surprise is low inside a topic and high where a topic begins', () => {
  const { surprise, surpriseAtBoundaries } = calibrate(talks(0.5), []);
  expect(surprise.typical).toBeLessThan(surprise.high);
  expect(surprise.high).toBeLessThan(surpriseAtBoundaries);
  const loose = calibrate(talks(1), []);
  expect(loose.surprise.typical).toBeGreaterThan(surprise.typical);
});

it('the thresholds separate conversations with clear topics', () => {
  const { thresholds, separation } = calibrate(talks(0.5), []);
  expect(separation.topic).toBeGreaterThan(0.9);
  expect(separation.novelty).toBeGreaterThan(0.9);
  expect(thresholds.topic).toBeGreaterThan(0.4);
  expect(thresholds.topic).toBeLessThan(0.9);
});

it('the same-fact threshold is lower when restated turns are less similar', () => {
  const [one = noise(), two = noise()] = topic(2, 0.1);
  const apart = calibrate(talks(0.5), [[one, two]]);
  expect(apart.thresholds.sameFact).toBeLessThan(0.6);
  const [far = noise(), away = noise()] = [unit(noise()), unit(noise())];
  const near = calibrate(talks(0.5), [[far, away]]);
  expect(near.thresholds.sameFact).toBeLessThan(apart.thresholds.sameFact);
});

it('the best cut is in the middle between two separable groups', () => {
  expect(bestCut([0.8, 0.9], [0.1, 0.2])).toEqual({ at: 0.5, separation: 1 });
  expect(bestCut([0.5], [0.5]).separation).toBe(0.5);
});
