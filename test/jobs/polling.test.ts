import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startPolling } from '../../src/jobs/polling.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a server with nothing to do polls every second for ten seconds, and then every five', () => {
  let polls = 0;
  using _polling = startPolling(() => {
    polls += 1;
  });
  vi.advanceTimersByTime(10_000);
  expect(polls).toBe(10);
  vi.advanceTimersByTime(20_000);
  expect(polls).toBe(14);
});

test('when there is something to do, an idle server polls a second later, and then every second', () => {
  let polls = 0;
  using polling = startPolling(() => {
    polls += 1;
  });
  vi.advanceTimersByTime(11_000);
  expect(polls).toBe(10);
  polling.stayAwake();
  vi.advanceTimersByTime(1_000);
  expect(polls).toBe(11);
  vi.advanceTimersByTime(9_000);
  expect(polls).toBe(20);
});

test('while nothing is due, an idle server rests until something is, and for 15 seconds at most', () => {
  let polls = 0;
  using polling = startPolling(() => {
    polls += 1;
  });
  polling.rest(7_000);
  vi.advanceTimersByTime(10_000);
  expect([polls, polling.isIdle()]).toEqual([10, true]);
  polling.rest(7_000);
  vi.advanceTimersByTime(6_999);
  expect(polls).toBe(10);
  vi.advanceTimersByTime(1);
  expect(polls).toBe(11);
  polling.rest(60_000);
  vi.advanceTimersByTime(14_999);
  expect(polls).toBe(11);
  vi.advanceTimersByTime(1);
  expect(polls).toBe(12);
  polling.rest(60_000);
  polling.stayAwake();
  vi.advanceTimersByTime(1_000);
  expect(polls).toBe(13);
});

test('frequent changes do not put the next poll off', () => {
  let polls = 0;
  using polling = startPolling(() => {
    polls += 1;
  });
  for (let passed = 0; passed < 3_000; passed += 100) {
    vi.advanceTimersByTime(100);
    polling.stayAwake();
  }
  expect(polls).toBe(3);
});

test('no poll comes after the end', () => {
  let polls = 0;
  const polling = startPolling(() => {
    polls += 1;
  });
  polling[Symbol.dispose]();
  vi.advanceTimersByTime(60_000);
  expect(polls).toBe(0);
});

test('no poll comes after the end, even if an idle server finds something to do while it stops', () => {
  let polls = 0;
  const polling = startPolling(() => {
    polls += 1;
  });
  vi.advanceTimersByTime(11_000);
  polling[Symbol.dispose]();
  polling.stayAwake();
  vi.advanceTimersByTime(60_000);
  expect(polls).toBe(10);
});
