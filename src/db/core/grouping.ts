/** A call that may share a transaction with calls of other users. */
type Call = { userId: string };

/** What a group answers to a call: a function that returns the result or throws; null if the call has to run alone. */
export type Answer<Result> = (() => Result) | null;

/** Lets calls that come at the same time share transactions. */
export type Grouping<Joining extends Call, Result> = {
  /**
   * Runs a call: alone if no other is in progress, or another one of its user is; else in the next group, which forms while the
   * one before it runs. While a call of the user waits for a group, or is in one, the next ones wait for it.
   */
  run(call: Joining, alone: () => Promise<Result>): Promise<Result>;
};

type Ways<Joining, Result> = {
  /** Whether a call can join a group, once that is known. */
  canJoin(call: Joining): Promise<boolean>;
  /**
   * Runs a group. If it throws, the calls that it has taken fail with that error; if it has taken none, all that wait run alone.
   * @param take returns the calls, of different users, and closes the group: those that come later wait for the next one
   */
  together(take: () => Joining[]): Promise<Answer<Result>[]>;
};

type Waiter<Joining, Result> = {
  call: Joining;
  answer(answer: Answer<Result>): void;
  fail(error: unknown): void;
};

/** The most calls of a group. Their users' rows are locked until its commit. */
const MOST = 16;
/** How long a call waits for a group, in milliseconds. The one before may have lost its connection without notice. */
export const WAIT = 1_000;

/** Creates the grouping of one kind of call. */
export function createGrouping<Joining extends Call, Result>({
  canJoin,
  together,
}: Ways<Joining, Result>): Grouping<Joining, Result> {
  const waiting = new Set<Waiter<Joining, Result>>();
  /** Of users with a call that waits for a group, or is in one: when that has its answer. */
  const joined = new Map<string, Promise<unknown>>();
  /** The calls in progress: of all users, and of each. */
  let calls = 0;
  const ofUser = new Map<string, number>();
  let isRunning = false;

  const runNext = async () => {
    let group: Waiter<Joining, Result>[] = [];
    const take = () => {
      group = [...waiting].slice(0, MOST);
      for (const waiter of group) waiting.delete(waiter);
      return group.map(({ call }) => call);
    };
    try {
      const answers = await together(take);
      group.forEach(({ answer }, index) => void answer(answers[index] ?? null));
    } catch (error) {
      for (const { fail } of group) fail(error);
      if (group.length === 0) for (const { answer } of waiting) answer(null);
    }
  };
  const runGroups = async () => {
    isRunning = true;
    while (waiting.size > 0) await runNext();
    isRunning = false;
  };
  const join = async (call: Joining): Promise<Answer<Result>> => {
    if (!(await canJoin(call))) return null;
    return new Promise((resolve, fail) => {
      const answer = (given: Answer<Result>) => {
        waiting.delete(waiter);
        clearTimeout(timer);
        resolve(given);
      };
      const waiter = { call, answer, fail };
      const tooLate = () => {
        if (waiting.has(waiter)) answer(null);
      };
      const timer = setTimeout(tooLate, WAIT);
      waiting.add(waiter);
      if (!isRunning) void runGroups();
    });
  };
  const joinAsOnly = ({ userId }: Call, answer: Promise<Answer<Result>>) => {
    const settled = answer.finally(() => joined.delete(userId));
    joined.set(
      userId,
      settled.catch(() => undefined),
    );
    return settled;
  };
  const runNow = async (call: Joining, alone: () => Promise<Result>): Promise<Result> => {
    const earlier = joined.get(call.userId);
    if (earlier) await within(WAIT, earlier);
    else if (calls > 1 && ofUser.get(call.userId) === 1) {
      const answer = await joinAsOnly(call, join(call));
      if (answer) return answer();
    }
    return alone();
  };

  return {
    async run(call, alone) {
      calls += 1;
      ofUser.set(call.userId, (ofUser.get(call.userId) ?? 0) + 1);
      try {
        return await runNow(call, alone);
      } finally {
        calls -= 1;
        const left = (ofUser.get(call.userId) ?? 1) - 1;
        if (left > 0) ofUser.set(call.userId, left);
        else ofUser.delete(call.userId);
      }
    },
  };
}

/** Resolves once a promise that never fails has resolved, or after some milliseconds. */
const within = (ms: number, promise: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
