import { readFile } from 'node:fs/promises';
import { CHANGING, changedAmong, changesList, type Happened } from '@mnemograph/mcp';
import { buildSchema, GraphQLEnumType } from 'graphql';
import { expect, it } from 'vitest';

const schema = buildSchema(
  await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8'),
);
const type = schema.getType('EventKind');
const KINDS = type instanceof GraphQLEnumType ? type.getValues().map(({ name }) => name) : [];

const PROFILE = 'memory://profile';
const RECENT = 'memory://recent';
/** A thread whose id is written differently in an address, in both ways; and another thread. */
const OWN = ['memory://thread/a%3D', 'memory://thread/a='];
const OTHER = 'memory://thread/b';
const ALL = [PROFILE, RECENT, ...OWN, OTHER];

/** Which resources read differently after an event of each kind; none after those that are not here. */
const CHANGED: Record<string, string[]> = {
  MEMORY_FORGOTTEN: ALL,
  MEMORY_IMPORTED: ALL,
  PROFILE_REVISED: [PROFILE],
  EPISODE_CREATED: [RECENT],
  EPISODE_MERGED: [RECENT],
  EPISODE_REVISED: [RECENT],
  THREAD_COMPACTED: [RECENT],
  CROSS_THREAD_CREATED: [RECENT],
  CROSS_THREAD_EXTENDED: [RECENT],
  CROSS_THREAD_MERGED: [RECENT],
  CROSS_THREAD_REDUCED: [RECENT],
  CROSS_THREAD_SUMMARIZED: [RECENT],
  TURNS_REMEMBERED: OWN,
};
const LISTS = ['MEMORY_FORGOTTEN', 'MEMORY_IMPORTED', 'THREAD_OPENED'];

it('all events that change resources are of a kind that exists', () => {
  expect(KINDS).toEqual(expect.arrayContaining([...Object.keys(CHANGED), ...LISTS]));
});

it.each(KINDS)('after %s, exactly the resources that read differently are announced', (name) => {
  const kind = name as Happened['kind'];
  const expected = CHANGED[kind] ?? [];
  expect(changedAmong(ALL, { kind, thread: { id: 'a=' } })).toEqual(expected);
  const withoutThread = expected.filter((uri) => expected === ALL || !OWN.includes(uri));
  expect(changedAmong(ALL, { kind })).toEqual(withoutThread);
  expect(changedAmong(ALL, { kind, thread: null })).toEqual(withoutThread);
  expect(changesList({ kind })).toBe(LISTS.includes(kind));
  expect(CHANGING.includes(kind)).toBe(expected.length > 0 || LISTS.includes(kind));
});

it('no change is announced of what is no resource, nor to a host that listens to nothing', () => {
  const kind = 'MEMORY_FORGOTTEN';
  expect(changedAmong(['memory://profile/x', 'memory://other', 'profile'], { kind })).toEqual([]);
  expect(changedAmong([], { kind })).toEqual([]);
});
