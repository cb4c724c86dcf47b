import { describe, expect, it } from 'vitest';
import { isTooDeep, MOST_LEVELS } from '../../../src/http/limits/json-depth.ts';
import { asUser, closedWith, createTestServer } from '../../support/server.ts';

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

it('a body or message that nests too deeply is refused before anything in it is read', async () => {
  await using server = await createTestServer();
  const variables = `{ "deep": ${nested(MOST_LEVELS, `"${long}"`)} }`;
  const body = `{ "query": "{ viewer { id } }", "variables": ${variables} }`;
  const answer = await server.post(body, await asUser('ann'));
  expect([answer.status, answer.body.errors?.[0]?.message]).toEqual([
    400,
    'The request body nests more deeply than 200 levels.',
  ]);
  expect(await closedWith(server, JSON.parse(variables))).toEqual([
    4400,
    'The message nests more deeply than 200 levels.',
  ]);
});
