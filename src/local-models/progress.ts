/** How much of a model's files is there, in bytes; `total` is 0 until it is known. */
export type Progress = { loaded: number; total: number };

/** Progress is told this often at most, in milliseconds. */
const TELL_EVERY = 1_000;

/** Hands progress on, now and then. @param every in milliseconds */
export function tellNowAndThen(
  tell: (progress: Progress) => void,
  every = TELL_EVERY,
): (progress: Progress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = performance.now();
    if (now - last < every) return;
    last = now;
    tell(progress);
  };
}

const inMB = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0);

/** "35 % of 90 MB". */
export const describeProgress = ({ loaded, total }: Progress): string =>
  total > 0
    ? `${Math.floor((100 * Math.min(loaded, total)) / total)} % of ${inMB(total)} MB`
    : `${inMB(loaded)} MB so far`;
