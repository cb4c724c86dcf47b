/**
 * The result of a promise, or an error if it takes longer. The work itself is not stopped.
 * @param milliseconds the limit
 * @param late makes the error
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
