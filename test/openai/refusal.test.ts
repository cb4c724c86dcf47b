import { APIError } from 'openai';
import { expect, it } from 'vitest';
import { isTransient, mayBeMended, retryAfter } from '../../src/openai/refusal.ts';
import { tokenCount } from '../../src/openai/usage.ts';

const error = (status: number, headers: Record<string, string> = {}, body: object = {}) =>
  APIError.generate(status, body, undefined, new Headers(headers));
const HOUR = 3_600_000;

it.each<[Record<string, string>, number | null]>([
  [{ 'retry-after': '90' }, 90_000],
  [{ 'retry-after-ms': '250' }, 250],
  [{ 'retry-after': '315360000' }, HOUR],
  [{ 'retry-after': '1e300' }, HOUR],
  [{ 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, HOUR],
  [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
  [{ 'retry-after': '-5' }, 0],
  [{ 'retry-after': 'Infinity' }, null],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': '' }, null],
  [{ 'retry-after-ms': 'Infinity', 'retry-after': '2' }, 2_000],
  [{ 'retry-after-ms': '', 'retry-after': '2' }, 2_000],
  [{ 'retry-after-ms': '1e300' }, HOUR],
])('an answer with the headers %j requests a wait of %s ms', (headers, wait) => {
  expect(retryAfter(error(429, headers))).toBe(wait);
});

it.each([429, 500, 503])('status %i is transient', (status) => {
  expect([isTransient(error(status)), mayBeMended(error(status))]).toEqual([true, false]);
});

it.each([401, 402, 403, 404])('after status %i an operator must act', (status) => {
  expect([isTransient(error(status)), mayBeMended(error(status))]).toEqual([false, true]);
});

it('after a 429 because of missing credit an operator must act, as after a 402', () => {
  const spent = error(429, {}, { error: { code: 'insufficient_quota' } });
  expect([isTransient(spent), mayBeMended(spent)]).toEqual([false, true]);
});

it.each([
  [12, 12],
  [12.7, 12],
  [0, 0],
  [1e30, 10_000_000],
  [-3, 7],
  ['12', 7],
  [null, 7],
  [undefined, 7],
  [Number.NaN, 7],
  [Number.POSITIVE_INFINITY, 7],
])('a reported usage of %s tokens is counted as %i', (reported, counted) => {
  expect(tokenCount(reported, () => 7)).toBe(counted);
});
