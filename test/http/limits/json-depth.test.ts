import { describe, expect, it } from 'vitest';
import { isTooDeep, MOST_LEVELS } from '../../../src/http/limits/json-depth.ts';

const nested = (levels: number, inner = '') => `${'['.repeat(levels)}${inner}${']'.repeat(levels)}`;
const long = 'x'.repeat(20_000);

describe('the depth of JSON', () => {
  it.each([
    ['a million levels', nested(1_000_000), true],
    ['one level too many beside a long string', nested(MOST_LEVELS + 1, `"${long}"`), true],
    ['as many levels as are allowed', nested(MOST_LEVELS, `"${long}"`), false],
    ['many levels one after another', `[${'[{}],'.repeat(10_000)}[]]`, false],
    ['brackets in a string', JSON.stringify({ text: '[{'.repeat(20_000) }), false],
    ['brackets behind an escaped quote', JSON.stringify([`"\\"${'['.repeat(20_000)}`]), false],
    ['levels behind a string that ends in a backslash', `["${long}\\\\",${nested(300)}]`, true],
    ['a string without an end', `"${'['.repeat(20_000)}`, false],
    ['a short text', nested(500), false],
  ])('the depth of JSON is judged correctly for %s', (_, json, expected) =>
    expect(isTooDeep(json)).toBe(expected),
  );
});
