import { expect, it } from 'vitest';
import { createFairLine } from '../../src/language-threads/fair-line.ts';

const MAYA = { userId: 'maya' };

/** A task that ends when it is told to. */
function held() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, task: () => ended };
}

it('tasks run one at a time and in order, even after a task that failed', async () => {
  const inLine = createFairLine();
  const seen: string[] = [];
  const task = (name: string) => async () => {
    seen.push(`${name} starts`);
    await Promise.resolve();
    seen.push(`${name} ends`);
    if (name === 'b') throw new Error(name);
    return name;
  };
  const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => inLine(MAYA, task(name))));
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(seen).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} starts`, `${name} ends`]));
});

it('a waiting task leaves the line at once when its signal is aborted, and the others keep their place', async () => {
  const inLine = createFairLine();
  const first = held();
  const abort = new AbortController();
  const done: string[] = [];
  const running = inLine(MAYA, first.task);
  const leaving = inLine({ ...MAYA, signal: abort.signal }, async () => void done.push('leaving'));
  const last = inLine(MAYA, async () => void done.push('last'));
  abort.abort(new Error('enough'));
  await expect(leaving).rejects.toThrow('enough');
  expect(done).toEqual([]);
  first.end();
  await Promise.all([running, last]);
  expect(done).toEqual(['last']);
  await expect(inLine({ ...MAYA, signal: abort.signal }, async () => {})).rejects.toThrow('enough');
});

/** A line with a clock of its own, and tasks that take a given time on it. */
function timed() {
  let time = 0;
  const done: string[] = [];
  const task = (name: string, milliseconds: number) => async () => {
    time += milliseconds;
    done.push(name);
  };
  return { inLine: createFairLine(() => time), task, done };
}

it('users take turns, however many tasks each of them has', async () => {
  const { inLine, task, done } = timed();
  const first = held();
  const all = [inLine(MAYA, first.task)];
  for (const name of ['m1', 'm2', 'm3', 'm4']) all.push(inLine(MAYA, task(name, 10)));
  for (const name of ['b1', 'b2']) all.push(inLine({ userId: 'bo' }, task(name, 10)));
  all.push(inLine({ userId: 'chidi' }, task('c1', 10)));
  first.end();
  await Promise.all(all);
  expect(done).toEqual(['m1', 'b1', 'c1', 'm2', 'b2', 'm3', 'm4']);
});

it('users share the time: whose task takes long waits until the others were served as long', async () => {
  const { inLine, task, done } = timed();
  const first = held();
  const all = [inLine(MAYA, first.task)];
  for (const name of ['m1', 'm2']) all.push(inLine(MAYA, task(name, 100)));
  for (const name of ['b1', 'b2', 'b3', 'b4']) all.push(inLine({ userId: 'bo' }, task(name, 40)));
  first.end();
  await Promise.all(all);
  expect(done).toEqual(['m1', 'b1', 'b2', 'b3', 'm2', 'b4']);
});

it('the task of a new user goes before those of all users who have just been served', async () => {
  const { inLine, task, done } = timed();
  const users = Array.from({ length: 30 }, (_, index) => ({ userId: `user${index}` }));
  await Promise.all(users.map((user) => inLine(user, task('before', 10))));
  const first = held();
  const all = [inLine({ userId: 'user0' }, first.task)];
  for (const user of users.slice(1)) all.push(inLine(user, task('again', 10)));
  all.push(inLine({ userId: 'new' }, task('new', 10)));
  first.end();
  await Promise.all(all);
  expect(done.slice(users.length).indexOf('new')).toBe(0);
});

it('short tasks go before pieces of long work, of which every fifth task is one', async () => {
  const inLine = createFairLine();
  const first = held();
  const done: string[] = [];
  const task = (name: string) => async () => void done.push(name);
  const all = [inLine(MAYA, first.task)];
  for (const name of ['i1', 'i2', 'i3']) {
    all.push(inLine({ userId: 'importer', isBulk: true }, task(name)));
  }
  for (const name of ['s1', 's2', 's3', 's4', 's5', 's6']) all.push(inLine(MAYA, task(name)));
  first.end();
  await Promise.all(all);
  expect(done).toEqual(['s1', 's2', 's3', 's4', 'i1', 's5', 's6', 'i2', 'i3']);
});
