/** Outcome and duration of a request to a model, for the metrics. */
export type ObservedCall = {
  step: string;
  model: string;
  outcome: 'ok' | 'failed';
  seconds: number;
};

/** Does the work, reports its outcome and duration to `observe`, and returns or throws what the work did. */
export async function observeCall<T>(
  observe: (call: ObservedCall) => void,
  labels: Pick<ObservedCall, 'step' | 'model'>,
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  const report = (outcome: ObservedCall['outcome']) =>
    observe({ ...labels, outcome, seconds: (performance.now() - started) / 1000 });
  try {
    const result = await work();
    report('ok');
    return result;
  } catch (error) {
    report('failed');
    throw error;
  }
}
