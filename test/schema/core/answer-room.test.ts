import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type AnswerRoom,
  createAnswerRoom,
  type Place,
} from '../../../src/schema/core/answer-room.ts';

const turn = () => new Promise(setImmediate);

/** Requests a reservation for each caller. `inside` lists the ones that were given. */
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

it('two large answers are computed at a time, one per caller, and the others wait in order', async () => {
  const { inside, names } = crowd(['ann', 'ann', 'ann', 'bob', 'cat', 'dan']);
  expect(await names()).toEqual(['ann', 'bob']);
  inside[1]?.place.leave();
  expect(await names()).toEqual(['ann', 'bob', 'cat']);
  inside[0]?.place.leave();
  inside[0]?.place.leave();
  expect(await names()).toEqual(['ann', 'bob', 'cat', 'ann']);
});

it('a computed answer keeps its actual size reserved until it is sent', async () => {
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

it('a caller with an unread answer and the next one in progress leaves room to others', async () => {
  const { inside, names } = crowd(['ann', 'ann', 'bob', 'cat']);
  expect(await names()).toEqual(['ann', 'bob']);
  inside[0]?.place.shrink(1);
  expect(await names()).toEqual(['ann', 'bob', 'ann']);
  inside[1]?.place.leave();
  expect(await names()).toEqual(['ann', 'bob', 'ann', 'cat']);
});

describe('a large answer', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  /** Gives way as ann. Returns a function that says whether ann has continued. */
  async function givesWay(room: AnswerRoom) {
    let hasContinued = false;
    void room.giveWay('ann').then(() => {
      hasContinued = true;
    });
    await turn();
    return async () => {
      await turn();
      return hasContinued;
    };
  }

  it('a large answer continues at once if no other caller has a small answer in progress', async () => {
    const room = createAnswerRoom(10);
    const isDone = room.begin('bob');
    isDone();
    room.begin('ann');
    expect(await (await givesWay(room))()).toBe(true);
  });

  it('a large answer gives way to the small answers of other callers', async () => {
    const room = createAnswerRoom(10);
    const small = ['bob', 'bob', 'cat'].map((caller) => room.begin(caller));
    const hasContinued = await givesWay(room);
    small[0]?.();
    small[0]?.();
    small[2]?.();
    expect(await hasContinued()).toBe(false);
    small[1]?.();
    expect(await hasContinued()).toBe(true);
  });

  it('at most one part of a large answer continues in each round of the event loop', async () => {
    const room = createAnswerRoom(10);
    const isDone = room.begin('bob');
    let continued = 0;
    for (const caller of ['ann', 'ann', 'cat', 'dan']) {
      void room.giveWay(caller).then(() => {
        continued += 1;
      });
    }
    await turn();
    isDone();
    const counts = [];
    for (let round = 0; round < 12; round += 1) {
      await turn();
      counts.push(continued);
    }
    expect(counts.at(-1)).toBe(4);
    for (const [round, count] of counts.entries()) {
      expect(count - (counts[round - 1] ?? 0)).toBeLessThanOrEqual(1);
    }
  });

  it('a large answer waits for small ones for at most 100 ms', async () => {
    const room = createAnswerRoom(10);
    room.begin('bob');
    const hasContinued = await givesWay(room);
    vi.advanceTimersByTime(99);
    expect(await hasContinued()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await hasContinued()).toBe(true);
  });
});
