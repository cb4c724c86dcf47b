import { expect, it } from 'vitest';
import { createAnswerRoom, type Place } from '../../src/schema/answer-room.ts';

/** Asks for a place for each caller; what was given stands in `inside`. */
function crowd(callers: readonly string[]) {
  const room = createAnswerRoom(10);
  const inside: { caller: string; place: Place }[] = [];
  for (const caller of callers) {
    void room.enter(caller).then((place) => inside.push({ caller, place }));
  }
  const names = async () => {
    await new Promise(setImmediate);
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
