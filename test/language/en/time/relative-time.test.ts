import { expect, it } from 'vitest';
import { relativeTime } from '../../../../src/language/en/time/relative-time.ts';

const NOW = new Date('2026-03-20T12:00:00Z');

it.each([
  ['2026-03-20T11:59:30Z', 'now'],
  ['2026-03-20T11:30:00Z', '30 minutes ago'],
  ['2026-03-19T10:00:00Z', 'yesterday'],
  ['2026-03-06T12:00:00Z', '2 weeks ago'],
  ['2025-03-06T12:00:00Z', 'last year'],
])('the time %s is described as "%s"', (at, text) => {
  expect(relativeTime(new Date(at), NOW)).toBe(text);
});
