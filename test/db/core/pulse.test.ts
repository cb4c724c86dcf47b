import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPulse } from '../../../src/db/core/pulse.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const PATIENCE = 15_000;

it('a server that was silent for long counts as reachable only if it answers when it is asked', async () => {
  const { isThere } = createPulse(20);
  vi.useRealTimers();
  expect(await isThere(-1, () => Promise.resolve())).toBe(true);
  expect(await isThere(-1, () => Promise.reject(new Error('refused')))).toBe(false);
  expect(await isThere(-1, () => new Promise(() => undefined))).toBe(false);
});

it('who has just answered is not asked', async () => {
  const { heard, silence, isThere } = createPulse(20);
  const look = vi.fn(() => Promise.reject(new Error('refused')));
  vi.advanceTimersByTime(PATIENCE + 1);
  expect(silence()).toBe(PATIENCE + 1);
  expect(heard('rows')).toBe('rows');
  expect(await isThere(PATIENCE, look)).toBe(true);
  expect(look).not.toHaveBeenCalled();
});
