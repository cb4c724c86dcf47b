import { fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FirstFact } from './first-fact.ts';

/** One call of the second user. `ms` counts from when it was due, so that a stalled server shows in every call that waits. */
export type Sample = {
  index: number;
  what: 'remember' | 'recall';
  /** When the call was due, in milliseconds since 1970. */
  due: number;
  ms: number;
  /** The part of `ms` that passed before the call was sent, because the machine was busy. */
  late: number;
  failed: string | null;
};

/** The failure of a call without an answer in time. */
const NO_ANSWER = 'no answer';

type Place = { url: string; secret: string };
export type ToTalker =
  | ({ type: 'talk'; perSecond: number; seed: number } & Place)
  | ({ type: 'fact'; userId: string } & Place);
export type FromTalker =
  | { type: 'due'; index: number; due: number }
  | { type: 'done'; sample: Sample }
  | ({ type: 'fact'; userId: string } & FirstFact);

/** A user in a separate process who calls a server until it is disposed. */
export type SecondUser = Disposable & {
  /** Resolves when the first call was answered or failed. */
  talking: Promise<void>;
  /** The calls that were due in a period. Those without an answer within `patience` count as that long. */
  between(from: number, to: number, patience: number): Promise<Sample[]>;
  /** Measures how soon a fact in a message of a new user is recorded. */
  firstFactOf(userId: string): Promise<FirstFact>;
};

export const wallClock = (): number => performance.timeOrigin + performance.now();

export function startSecondUser(place: Place, perSecond: number, seed: number): SecondUser {
  const child = fork(fileURLToPath(new URL('./second-user-process.ts', import.meta.url)));
  const waiting = new Map<number, { due: number }>();
  const samples: Sample[] = [];
  const facts = new Map<string, (fact: FirstFact) => void>();
  let begun = () => {};
  const talking = new Promise<void>((resolve) => {
    begun = resolve;
    child.once('exit', () => resolve());
  });
  child.on('message', (message: FromTalker) => {
    if (message.type === 'due') waiting.set(message.index, message);
    else if (message.type === 'done') {
      waiting.delete(message.sample.index);
      samples.push(message.sample);
      begun();
    } else facts.get(message.userId)?.(message);
  });
  child.once('exit', () => {
    for (const tell of facts.values()) tell({ ms: null, failed: 'the process has ended' });
  });
  const send = (message: ToTalker) => child.send(message);
  send({ type: 'talk', ...place, perSecond, seed });
  return {
    talking,
    async between(from, to, patience) {
      const isWithin = ({ due }: { due: number }) => due >= from && due < to;
      const until = wallClock() + patience;
      while ([...waiting.values()].some(isWithin) && wallClock() < until) await delay(20);
      const silent = [...waiting].filter(([, call]) => isWithin(call));
      return [
        ...samples.filter(isWithin),
        ...silent.map(([index, { due }]): Sample => {
          const what = index % 2 === 0 ? 'remember' : 'recall';
          return { index, what, due, ms: wallClock() - due, late: 0, failed: NO_ANSWER };
        }),
      ];
    },
    firstFactOf: (userId) =>
      new Promise((resolve) => {
        facts.set(userId, resolve);
        send({ type: 'fact', ...place, userId });
      }),
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}
