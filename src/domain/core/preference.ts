/**
 * Chooses between two queues: one is preferred, but after so many of its tasks that went before waiting ones of the other, one
 * of those goes first. So neither waits for ever.
 * @returns a function that says, before each task, whether the other queue's turn has come
 */
export function createPreference(
  before: number,
): (isPreferredWaiting: boolean, isOtherWaiting: boolean) => boolean {
  let passedOver = 0;
  return (isPreferredWaiting, isOtherWaiting) => {
    if (!isPreferredWaiting || !isOtherWaiting) return isOtherWaiting;
    passedOver = (passedOver + 1) % (before + 1);
    return passedOver === 0;
  };
}
