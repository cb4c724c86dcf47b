import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type AnswerRoom,
  createAnswerRoom,
  type Place,
} from '../../../src/schema/core/answer-room.ts';

const turn = () => new Promise(setImmediate);

/** Asks for a place for each caller; what was given stands in `inside`. */
function crowd(callers: readonly string[]) {
  const room = createAnswerRoom(10);
  const inside: { caller: string; place: Place }[] = [];
  for (const caller of callers) {
    void room.enter(caller).then((place) => inside.push({ caller, place }));
  }
  const names = async () => {
    await turn();
    return inside.map(({ caller }) => caller);
  };
  return { inside, names };
}

it('makes two large answers at a time, one of each caller, the others in their order', async () => {
  const { inside, names } = crowd(['ann', 'ann', 'ann', 'bob', 'cat', 'dan']);
  expect(await names()).toEqual(['ann', 'bob']);
  inside[1]?.place.leave();
  expect(await names()).toEqual(['ann', 'bob', 'cat']);
  inside[0]?.place.leave();
  inside[0]?.place.leave();
  expect(await names()).toEqual(['ann', 'bob', 'cat', 'ann']);
});

it('an answer that is made takes what it has, until it is sent', async () => {
  const { inside, names } = crowd(['ann', 'ann', 'bob', 'bob']);
  expect(await names()).toEqual(['ann', 'bob']);
  inside[0]?.place.shrink(4);
  inside[1]?.place.shrink(6);
  expect(await names()).toEqual(['ann', 'bob']);
  inside[0]?.place.leave();
  expect(await names()).toEqual(['ann', 'bob', 'ann']);
  inside[1]?.place.leave();
  inside[2]?.place.leave();
  expect(await names()).toEqual(['ann', 'bob', 'ann', 'bob']);
});

describe('a large answer', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  /** Gives way as ann; says whether it has gone on. */
  async function givesWay(room: AnswerRoom) {
    let hasGoneOn = false;
    void room.giveWay('ann').then(() => {
      hasGoneOn = true;
    });
    await turn();
    return async () => {
      await turn();
      return hasGoneOn;
    };
  }

  it('goes on at once where there is nobody else, or only what the caller asks itself', async () => {
    const room = createAnswerRoom(10);
    const isDone = room.begin('bob');
    isDone();
    room.begin('ann');
    expect(await (await givesWay(room))()).toBe(true);
  });

  it('gives way to the small answers of others', async () => {
    const room = createAnswerRoom(10);
    const small = ['bob', 'bob', 'cat'].map((caller) => room.begin(caller));
    const hasGoneOn = await givesWay(room);
    small[0]?.();
    small[0]?.();
    small[2]?.();
    expect(await hasGoneOn()).toBe(false);
    small[1]?.();
    expect(await hasGoneOn()).toBe(true);
  });

  it('goes on alone in each round of the event loop', async () => {
    const room = createAnswerRoom(10);
    const isDone = room.begin('bob');
    let goneOn = 0;
    for (const caller of ['ann', 'ann', 'cat', 'dan']) {
      void room.giveWay(caller).then(() => {
        goneOn += 1;
      });
    }
    await turn();
    isDone();
    const counts = [];
    for (let round = 0; round < 12; round += 1) {
      await turn();
      counts.push(goneOn);
    }
    expect(counts.at(-1)).toBe(4);
    for (const [round, count] of counts.entries()) {
      expect(count - (counts[round - 1] ?? 0)).toBeLessThanOrEqual(1);
    }
  });

  it('waits no longer than a tenth of a second', async () => {
    const room = createAnswerRoom(10);
    room.begin('bob');
    const hasGoneOn = await givesWay(room);
    vi.advanceTimersByTime(99);
    expect(await hasGoneOn()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await hasGoneOn()).toBe(true);
  });
});
