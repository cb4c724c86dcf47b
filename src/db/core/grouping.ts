/** A call that may share a transaction with calls of other users. */
type Call = { userId: string };

/** What a group answers to a call: a function that returns the result or throws; null if the call has to run alone. */
export type Answer<Result> = (() => Result) | null;

/** Lets calls that come at the same time share transactions. */
export type Grouping<Joining extends Call, Result> = {
  /**
   * Runs a call: alone if no other is in progress or its user has another one; else in the next group, which forms
   * while the one before it runs.
   */
  run(call: Joining, alone: () => Promise<Result>): Promise<Result>;
};

type Ways<Joining, Result> = {
  /** Whether a call can join a group, once that is known. */
  canJoin(call: Joining): Promise<boolean>;
  /**
   * Runs calls of different users. If it throws, all of them fail with that error.
   * @param first the one that has waited longest
   * @param take returns the calls, and closes the group: those that come later wait for the next one
   */
  together(first: Joining, take: () => Joining[]): Promise<Answer<Result>[]>;
};

type Waiter<Joining, Result> = {
  call: Joining;
  answer(answer: Answer<Result>): void;
  fail(error: unknown): void;
};

/** The most calls of a group. Their rows are locked until its commit. */
const MOST = 16;

/** Creates the grouping of one kind of call. */
export function createGrouping<Joining extends Call, Result>({
  canJoin,
  together,
}: Ways<Joining, Result>): Grouping<Joining, Result> {
  const waiting: Waiter<Joining, Result>[] = [];
  /** The users with a call that waits for a group, or is in one. */
  const joining = new Set<string>();
  let inProgress = 0;
  let isRunning = false;

  const runGroups = async () => {
    isRunning = true;
    for (let [first] = waiting; first; [first] = waiting) {
      let group: typeof waiting = [];
      const take = () => {
        group = waiting.splice(0, MOST);
        return group.map(({ call }) => call);
      };
      await together(first.call, take).then(
        (answers) => group.forEach(({ answer }, index) => void answer(answers[index] ?? null)),
        (error) => {
          const failed = group.length > 0 ? group : waiting.splice(0);
          for (const { fail } of failed) fail(error);
        },
      );
    }
    isRunning = false;
  };
  const join = (call: Joining): Promise<Answer<Result>> =>
    new Promise((answer, fail) => {
      waiting.push({ call, answer, fail });
      if (!isRunning) void runGroups();
    });

  return {
    async run(call, alone) {
      inProgress += 1;
      try {
        if (inProgress === 1 || joining.has(call.userId)) return await alone();
        joining.add(call.userId);
        const answer = await (async () => ((await canJoin(call)) ? join(call) : null))().finally(
          () => joining.delete(call.userId),
        );
        return answer ? answer() : await alone();
      } finally {
        inProgress -= 1;
      }
    },
  };
}
