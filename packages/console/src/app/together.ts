/** Returns a function that runs the work once, `wait` milliseconds after the first of several calls. */
export function together(work: () => void, wait: number): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      work();
    }, wait);
  };
}
