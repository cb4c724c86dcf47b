import { expect, it } from 'vitest';
import { createAnswer } from '../../../src/schema/core/answer.ts';
import { createAnswerRoom } from '../../../src/schema/core/answer-room.ts';

const LARGE = 1_000_000;

/** Starts a write of some bytes for each caller. `begun` lists the writes that have started, in order. */
function writing(calls: readonly [caller: string, bytes: number][]) {
  const room = createAnswerRoom(LARGE);
  const begun: { caller: string; end(): void }[] = [];
  for (const [caller, bytes] of calls) {
    const answer = createAnswer({ caller, reads: 4, isGone: () => false }, room, LARGE);
    void answer.write(bytes, () => new Promise<void>((end) => begun.push({ caller, end })));
  }
  const callers = async () => {
    for (let turn = 0; turn < 6; turn++) await new Promise(setImmediate);
    return begun.map(({ caller }) => caller);
  };
  return { begun, callers };
}

it('small writes run at once, and large writes of a caller one after another', async () => {
  const { begun, callers } = writing([
    ['ann', LARGE],
    ['ann', LARGE],
    ['ann', 100],
    ['bob', LARGE],
  ]);
  expect((await callers()).sort()).toEqual(['ann', 'ann', 'bob']);
  for (const { end } of begun) end();
  expect(await callers()).toHaveLength(4);
});

it('a large write after a large part of the same answer does not wait for its own reservation', async () => {
  const room = createAnswerRoom(LARGE);
  const answer = createAnswer({ caller: 'ann', reads: 4, isGone: () => false }, room, LARGE);
  for (let left = 6_000; left > 0; left -= 1) void answer.show(1);
  expect(await answer.write(600_000, async () => 'written')).toBe('written');
  expect(answer.finish()).toBe(true);
});

it('an answer of many small fields needs a reservation like a large answer', async () => {
  const room = createAnswerRoom(LARGE);
  const start = (fields: number) => {
    const answer = createAnswer({ caller: 'ann', reads: 4, isGone: () => false }, room, LARGE);
    for (let left = fields; left > 0; left -= 1) void answer.show(1);
    return answer;
  };
  const few = start(1_000);
  const many = start(6_000);
  await new Promise(setImmediate);
  expect(few.finish()).toBe(false);
  expect(many.finish()).toBe(true);
});
