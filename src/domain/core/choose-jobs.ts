/** A job that is due. `place` is its place in the line of its lane; null if it has none yet. */
export type DueJob<Lane extends string = string> = {
  lane: Lane;
  userId: string;
  step: string;
  subject: number;
  runAt: Date;
  place: number | null;
};

/** The places of a lane: how many are free, and how many one user may have. */
export type LaneRoom<Lane extends string = string> = { lane: Lane; free: number; most: number };

/** What is known besides the due jobs: the lanes, what the worker runs, and the last place of each user in a lane. */
export type LineState<Lane extends string = string> = {
  lanes: readonly LaneRoom<Lane>[];
  held: readonly { lane: Lane; userId: string; place: number }[];
  lasts: readonly { lane: Lane; userId: string; place: number }[];
};

/** A job with its place in line, and whether it is its turn. */
export type ChosenJob = Omit<DueJob, 'place'> & { place: number; isTaken: boolean };

/**
 * Decides which of the due jobs of all users are next (start-time fair queueing). The jobs of one user stand behind one
 * another, and the first job of a user who joins a line goes to its head, so that users are served in turn. Who joins gets an even
 * place and a job that continues an odd one, so new jobs go first.
 * @returns the jobs to take, and those that get a place in line for the first time
 */
export function chooseJobs<Lane extends string>(
  due: readonly DueJob<Lane>[],
  { lanes, held, lasts }: LineState<Lane>,
): ChosenJob[] {
  return lanes.flatMap(({ lane, free, most }) => {
    const own = due.filter((job) => job.lane === lane);
    const of = <Row extends { lane: Lane }>(rows: readonly Row[]) =>
      rows.filter((row) => row.lane === lane);
    const ofUsers = new Map(of(lasts).map(({ userId, place }) => [userId, place]));
    const line = lineUp(own, of(held), ofUsers);
    const counts = new Map<string, number>();
    for (const { userId } of of(held)) counts.set(userId, (counts.get(userId) ?? 0) + 1);
    let room = free;
    return line.flatMap(({ isNew, ...job }) => {
      const count = (counts.get(job.userId) ?? 0) + 1;
      counts.set(job.userId, count);
      const isTaken = count <= most && room > 0;
      if (isTaken) room -= 1;
      return isTaken || isNew ? [{ ...job, isTaken }] : [];
    });
  });
}

/** Gives the new jobs of a lane their places, and sorts all by place. */
function lineUp(
  jobs: readonly DueJob[],
  held: readonly { place: number }[],
  lasts: ReadonlyMap<string, number>,
) {
  const head = jobs.flatMap(({ place, ...job }) =>
    place === null ? [] : { ...job, place, isNew: false },
  );
  const begun = [...head, ...held].map(({ place }) => place);
  const first = begun.length > 0 ? evenBelow(Math.min(...begun)) : 0;
  const next = new Map<string, number>();
  const fresh = jobs
    .filter(({ place }) => place === null)
    .sort(byTime)
    .map((job) => {
      const last = lasts.get(job.userId);
      const start = Math.max(first, last === undefined ? 0 : last + 1, 0);
      const place = next.get(job.userId) ?? start;
      next.set(job.userId, place + 1);
      return { ...job, place, isNew: true };
    });
  return [...head, ...fresh].sort((a, b) => a.place - b.place || byTime(a, b));
}

/** Whether a job had this place as the first of a user who joined the line, not as one that continues. */
export const isFirstInLine = (place: number): boolean => place % 2 === 0;

const evenBelow = (place: number): number => 2 * Math.floor(place / 2);

const byTime = (a: { runAt: Date }, b: { runAt: Date }): number =>
  a.runAt.getTime() - b.runAt.getTime();
