import { expect, it, vi } from 'vitest';
import { type Answer, createGrouping, WAIT } from '../../../src/db/core/grouping.ts';

type Call = { userId: string; isFit?: boolean };
type Group = {
  users: string[];
  answer(answers?: Answer<string>[]): void;
  fail(error: Error): void;
};

/** A grouping whose groups, and calls that run alone, last until the test ends them. */
function createRoom({ canBegin = async () => {} }: { canBegin?: () => Promise<void> } = {}) {
  const groups: Group[] = [];
  const alone: { userId: string; end: () => void }[] = [];
  const grouping = createGrouping<Call, string>({
    canJoin: async ({ isFit = true }) => isFit,
    together: async (take) => {
      await canBegin();
      const calls = take();
      return new Promise((resolve, reject) => {
        groups.push({
          users: calls.map(({ userId }) => userId),
          answer: (
            answers = calls.map(
              ({ userId }) =>
                () =>
                  `${userId} together`,
            ),
          ) => resolve(answers),
          fail: reject,
        });
      });
    },
  });
  const call = (userId: string, isFit = true): Promise<string> => {
    const run = () =>
      new Promise<string>((resolve) => {
        alone.push({ userId, end: () => resolve(`${userId} alone`) });
      });
    return grouping.run({ userId, isFit }, run);
  };
  /** Lets everything run that waits for nothing but promises. */
  const settle = () => new Promise(setImmediate);
  return { groups, alone, call, settle };
}

it('a call that comes while no other is in progress runs alone', async () => {
  const { groups, alone, call } = createRoom();
  for (const name of ['ann', 'bea']) {
    const result = call(name);
    alone.pop()?.end();
    expect(await result).toBe(`${name} alone`);
  }
  expect(groups).toEqual([]);
});

it('calls that come while a group runs form the next group', async () => {
  const { groups, call, settle } = createRoom();
  void call('first');
  const results = [call('ann'), call('bea')];
  await settle();
  const later = [call('cleo'), call('dora'), call('ella')];
  await settle();
  expect(groups.map(({ users }) => users)).toEqual([['ann', 'bea']]);
  groups[0]?.answer();
  expect(await Promise.all(results)).toEqual(['ann together', 'bea together']);
  await settle();
  expect(groups[1]?.users).toEqual(['cleo', 'dora', 'ella']);
  groups[1]?.answer();
  expect(await Promise.all(later)).toHaveLength(3);
});

it('a group takes those who come until it begins, and no more than sixteen', async () => {
  let begin = () => {};
  const { groups, call, settle } = createRoom({
    canBegin: () => new Promise((resolve) => (begin = resolve)),
  });
  void call('first');
  for (let number = 1; number <= 20; number += 1) {
    void call(`user-${number}`);
    await settle();
  }
  begin();
  await settle();
  expect(groups[0]?.users).toHaveLength(16);
  groups[0]?.answer();
  await settle();
  begin();
  await settle();
  expect(groups[1]?.users).toEqual(['user-17', 'user-18', 'user-19', 'user-20']);
});

it('a second call of a user runs alone after the first; one that cannot join runs alone at once', async () => {
  const { groups, alone, call, settle } = createRoom();
  void call('first');
  const [earlier] = [call('ann'), call('ann')];
  void call('bea', false);
  await settle();
  expect(groups.map(({ users }) => users)).toEqual([['ann']]);
  expect(alone.map(({ userId }) => userId)).toEqual(['first', 'bea']);
  groups[0]?.answer();
  expect(await earlier).toBe('ann together');
  await settle();
  expect(alone.map(({ userId }) => userId)).toEqual(['first', 'bea', 'ann']);
  alone[2]?.end();
  await settle();
  void call('ann');
  await settle();
  expect(groups[1]?.users).toEqual(['ann']);
});

it("a user's calls start in the order in which they came, also when the first one has to run alone", async () => {
  const { groups, alone, call, settle } = createRoom();
  void call('first');
  void Promise.all([call('ann'), call('ann'), call('ann')]);
  await settle();
  groups[0]?.answer([null]);
  await settle();
  expect(alone.map(({ userId }) => userId)).toEqual(['first', 'ann', 'ann', 'ann']);
  void call('ann');
  await settle();
  expect(groups).toHaveLength(1);
  expect(alone).toHaveLength(5);
});

it('calls that have waited for a second run alone, however long the group before them takes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { groups, alone, call, settle } = createRoom();
    void call('first');
    const stuck = call('ann');
    await settle();
    void call('bea');
    void call('ann');
    await settle();
    vi.advanceTimersByTime(WAIT);
    await settle();
    expect(alone.map(({ userId }) => userId).sort()).toEqual(['ann', 'bea', 'first']);
    groups[0]?.answer();
    expect(await stuck).toBe('ann together');
    await settle();
    expect(groups).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

it('each call gets its own answer: a result, an error, or a transaction of its own', async () => {
  const { groups, alone, call, settle } = createRoom();
  void call('first');
  const results = [call('ann'), call('bea'), call('cleo')];
  await settle();
  const wrong = () => {
    throw new Error('wrong');
  };
  groups[0]?.answer([() => 'stored', wrong, null]);
  await expect(results[1]).rejects.toThrow('wrong');
  await settle();
  alone.find(({ userId }) => userId === 'cleo')?.end();
  expect(await Promise.all([results[0], results[2]])).toEqual(['stored', 'cleo alone']);
});

it('when a group fails, its calls fail, and the next group runs', async () => {
  const { groups, call, settle } = createRoom();
  void call('first');
  const failing = call('ann');
  await settle();
  const next = call('bea');
  groups[0]?.fail(new Error('away'));
  await expect(failing).rejects.toThrow('away');
  await settle();
  groups[1]?.answer();
  expect(await next).toBe('bea together');
});

it('when a group cannot begin, all that wait for it run alone', async () => {
  const { alone, call, settle } = createRoom({
    canBegin: async () => {
      throw new Error('busy');
    },
  });
  void call('first');
  const results = [call('ann'), call('bea')];
  await settle();
  for (const { end } of alone) end();
  expect(await Promise.all(results)).toEqual(['ann alone', 'bea alone']);
});
