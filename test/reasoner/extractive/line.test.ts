import { expect, it } from 'vitest';
import { createLine } from '../../../src/reasoner/extractive/line.ts';

/** A task that ends when it is told to. */
function held() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, task: () => ended };
}

it('does one task at a time, in order, also after one that failed', async () => {
  const inLine = createLine();
  const seen: string[] = [];
  const task = (name: string) => async () => {
    seen.push(`${name} starts`);
    await Promise.resolve();
    seen.push(`${name} ends`);
    if (name === 'b') throw new Error(name);
    return name;
  };
  const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => inLine(task(name))));
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(seen).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} starts`, `${name} ends`]));
});

it('who waits leaves the line at once when the signal is aborted; the others keep their place', async () => {
  const inLine = createLine();
  const first = held();
  const abort = new AbortController();
  const done: string[] = [];
  const running = inLine(first.task);
  const leaving = inLine(async () => void done.push('leaving'), abort.signal);
  const last = inLine(async () => void done.push('last'));
  abort.abort(new Error('enough'));
  await expect(leaving).rejects.toThrow('enough');
  expect(done).toEqual([]);
  first.end();
  await Promise.all([running, last]);
  expect(done).toEqual(['last']);
  await expect(inLine(async () => {}, abort.signal)).rejects.toThrow('enough');
});
