/**
 * Resolves like `work`, or rejects if it takes longer than `milliseconds`. The work itself goes on.
 * @param late creates the error for a timeout
 */
export function withTimeout<T>(
  milliseconds: number,
  work: Promise<T>,
  late = () => new Error(`there was no answer within ${milliseconds} ms`),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
