/** How much of a model's files was downloaded, in bytes; `total` is 0 until it is known. */
export type Progress = { loaded: number; total: number };

/** The shortest time between two reports of progress, in milliseconds. */
const REPORT_EVERY = 1_000;

/** Limits the rate of reports: passes progress on if `every` milliseconds have gone by since the last report, and drops it otherwise. */
export function reportNowAndThen(
  report: (progress: Progress) => void,
  every = REPORT_EVERY,
): (progress: Progress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = performance.now();
    if (now - last < every) return;
    last = now;
    report(progress);
  };
}

const inMB = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0);

/** Formats progress for people, such as "35 % of 90 MB". */
export const describeProgress = ({ loaded, total }: Progress): string =>
  total > 0
    ? `${Math.floor((100 * Math.min(loaded, total)) / total)} % of ${inMB(total)} MB`
    : `${inMB(loaded)} MB so far`;
