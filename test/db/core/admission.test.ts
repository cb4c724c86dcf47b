import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAdmission, type Urgency } from '../../../src/db/core/admission.ts';
import { Busy } from '../../../src/domain/core/errors.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const LIMITS = {
  places: 4,
  patience: { request: 1_000, bulk: 5_000, background: 5_000 },
  queue: { user: 50, all: 100 },
};

/** Lets in by name; `leave` ends the one that came in first of those that are in. */
function createDoor(limits: Partial<typeof LIMITS> = {}) {
  const admission = createAdmission({ ...LIMITS, ...limits });
  const inside: string[] = [];
  const ends = new Map<string, () => void>();
  const refused: unknown[] = [];
  const come = (name: string, userId: string | null, urgency: Urgency = 'request') => {
    admission.enter({ userId, urgency }).then(
      (leave) => {
        inside.push(name);
        ends.set(name, leave);
      },
      (error: unknown) => refused.push(error),
    );
  };
  const leave = async (name: string) => {
    ends.get(name)?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { admission, inside, refused, come, leave, settle: () => vi.advanceTimersByTimeAsync(0) };
}

it('one user gets at most two places, however many calls they send, and other users are served', async () => {
  const { inside, come, leave, settle } = createDoor();
  for (let call = 1; call <= 30; call += 1) come(`ann ${call}`, 'ann');
  come('bob 1', 'bob');
  come('cyd 1', 'cyd');
  await settle();
  expect(inside).toEqual(['ann 1', 'ann 2', 'bob 1', 'cyd 1']);
  await leave('bob 1');
  expect(inside).toHaveLength(4);
  await leave('ann 1');
  expect(inside.at(-1)).toBe('ann 3');
});

it('a pool of two keeps one place free for other users; a pool of one is shared', async () => {
  const two = createDoor({ places: 2 });
  for (const call of [1, 2, 3]) two.come(`ann ${call}`, 'ann');
  two.come('bob 1', 'bob');
  await two.settle();
  expect(two.inside).toEqual(['ann 1', 'bob 1']);
  const one = createDoor({ places: 1 });
  for (const call of [1, 2]) one.come(`ann ${call}`, 'ann');
  await one.settle();
  expect(one.inside).toEqual(['ann 1']);
  await one.leave('ann 1');
  expect(one.inside).toEqual(['ann 1', 'ann 2']);
});

it('users take turns', async () => {
  const { inside, come, leave } = createDoor({ places: 1 });
  for (const call of [1, 2, 3]) come(`ann ${call}`, 'ann');
  for (const call of [1, 2]) come(`bob ${call}`, 'bob');
  come('cyd 1', 'cyd');
  const order = ['ann 1', 'ann 2', 'bob 1', 'cyd 1', 'ann 3', 'bob 2'];
  for (const name of order) await leave(name).then(() => leave(name));
  expect(inside).toEqual(order);
});

it('requests go before background work, which is not starved', async () => {
  const { inside, come, leave } = createDoor({ places: 1 });
  come('first', 'ann');
  for (const step of [1, 2]) come(`step ${step}`, 'ann', 'background');
  for (let call = 1; call <= 9; call += 1) come(`call ${call}`, `user ${call}`);
  for (let turn = 0; turn < 12; turn += 1) await leave(inside.at(-1) ?? 'first');
  expect(inside.indexOf('step 1')).toBe(5);
  expect(inside.indexOf('step 2')).toBe(10);
});

it('background work leaves places for requests, and the server itself goes first', async () => {
  const { inside, come, leave, settle } = createDoor();
  for (let user = 1; user <= 6; user += 1) come(`step ${user}`, `user ${user}`, 'background');
  await settle();
  expect(inside).toEqual(['step 1', 'step 2', 'step 3']);
  come('call', 'ann');
  come('call of another', 'bob');
  come('claim', null);
  await leave('step 1');
  expect(inside.slice(3)).toEqual(['call', 'claim']);
});

it('an applicant that waits too long, or behind too many, gets Busy with a retry time', async () => {
  const { inside, refused, come, settle } = createDoor({ queue: { user: 2, all: 3 } });
  for (let call = 1; call <= 5; call += 1) come(`ann ${call}`, 'ann');
  await settle();
  expect(refused).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(refused).toHaveLength(3);
  for (const error of refused) expect(error).toBeInstanceOf(Busy);
  expect((refused[0] as Busy).retryAfter).toBeGreaterThanOrEqual(1);
  expect(inside).toEqual(['ann 1', 'ann 2']);
});

it('a place is given back only once, and never by an applicant that timed out', async () => {
  const { admission, inside, come, leave, settle } = createDoor();
  for (let call = 1; call <= 3; call += 1) come(`ann ${call}`, 'ann');
  await settle();
  await vi.advanceTimersByTimeAsync(1_000);
  await leave('ann 1');
  await leave('ann 1');
  expect(admission.hasRoom({ userId: 'ann', urgency: 'request' })).toBe(true);
  come('ann 4', 'ann');
  come('ann 5', 'ann');
  await settle();
  expect(inside).toEqual(['ann 1', 'ann 2', 'ann 4']);
  expect(admission.waiting()).toBe(1);
});

it('calls that store many rows run one at a time, after requests', async () => {
  const { inside, come, leave, settle } = createDoor({ places: 3 });
  for (const user of ['ann', 'bob', 'cyd']) come(`${user} now`, user);
  come('dan works', 'dan', 'background');
  for (const user of ['ann', 'bob']) come(`${user} imports`, user, 'bulk');
  come('dan now', 'dan');
  await settle();
  await leave('ann now');
  await leave('bob now');
  await leave('cyd now');
  expect(inside.slice(3)).toEqual(['dan now', 'ann imports', 'dan works']);
  await leave('ann imports');
  expect(inside.at(-1)).toBe('bob imports');
});

it('requests without end let calls that store many rows and background work go first by turns', async () => {
  const { inside, come, leave, settle } = createDoor({ places: 1 });
  come('first', 'ann');
  come('imports', 'bob', 'bulk');
  come('works', 'cyd', 'background');
  for (let call = 1; call <= 12; call += 1) come(`call ${call}`, 'ann');
  await settle();
  while (inside.length < 12) await leave(inside.at(-1) as string);
  expect(inside.indexOf('imports')).toBeLessThan(12);
  expect(inside.indexOf('works')).toBeLessThan(12);
});

it('calls that store many rows and background work take turns', async () => {
  const { inside, come, leave, settle } = createDoor({ places: 1 });
  come('first', 'ann');
  for (const user of ['ann', 'bob', 'cyd']) come(`${user} imports`, user, 'bulk');
  for (const user of ['dan', 'eve']) come(`${user} works`, user, 'background');
  await settle();
  for (let turn = 0; turn < 5; turn += 1) await leave(inside.at(-1) ?? 'first');
  expect(inside.slice(1)).toEqual([
    'ann imports',
    'dan works',
    'bob imports',
    'eve works',
    'cyd imports',
  ]);
});
