/**
 * What a promise gives, or an error when it takes longer; the work goes on.
 * @param milliseconds at most
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
