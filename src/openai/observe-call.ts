/** How a request to a model went, for the metrics. */
export type ObservedCall = {
  step: string;
  model: string;
  outcome: 'ok' | 'failed';
  seconds: number;
};

/** Does the work and tells how it went and how long it took. */
export async function observeCall<T>(
  observe: (call: ObservedCall) => void,
  labels: Pick<ObservedCall, 'step' | 'model'>,
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  const tell = (outcome: ObservedCall['outcome']) =>
    observe({ ...labels, outcome, seconds: (performance.now() - started) / 1000 });
  try {
    const result = await work();
    tell('ok');
    return result;
  } catch (error) {
    tell('failed');
    throw error;
  }
}
