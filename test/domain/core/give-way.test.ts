import { expect, it } from 'vitest';
import { giveWay } from '../../../src/domain/core/give-way.ts';

/** The round of the event loop in which each of some tasks that begin together goes on. */
async function roundsOf(tasks: number): Promise<number[]> {
  let round = 0;
  let isOver = false;
  const count = () => {
    round += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const rounds = await Promise.all(
    Array.from({ length: tasks }, async () => {
      await giveWay();
      return round;
    }),
  );
  isOver = true;
  return rounds;
}

it('of the tasks that give way together, one goes on in each round of the event loop, in order', async () => {
  const rounds = await roundsOf(5);
  expect(new Set(rounds).size).toBe(5);
  expect(rounds).toEqual([...rounds].sort((a, b) => a - b));
});

it('a timer that is due runs before a task that gives way goes on', async () => {
  const order: string[] = [];
  const timer = new Promise<void>((over) => {
    setTimeout(() => {
      order.push('timer');
      over();
    }, 0);
  });
  const until = performance.now() + 3;
  while (performance.now() < until) {
    // The timer becomes due meanwhile.
  }
  await giveWay();
  order.push('task');
  await timer;
  expect(order).toEqual(['timer', 'task']);
});
