/** Whether the server answers, as far as the last request could tell. */
export type Connection = {
  isAway: () => boolean;
  subscribe: (changed: () => void) => () => void;
  /** Sends a request, and notes whether somebody answered. */
  fetch: typeof fetch;
};

/** Answers of a proxy whose server is away. */
const AWAY = new Set([502, 504]);

export function createConnection(): Connection {
  let away = false;
  const watching = new Set<() => void>();
  const note = (isAway: boolean) => {
    if (away === isAway) return;
    away = isAway;
    for (const changed of watching) changed();
  };
  return {
    isAway: () => away,
    subscribe: (changed) => {
      watching.add(changed);
      return () => watching.delete(changed);
    },
    fetch: async (input, init) => {
      try {
        const response = await fetch(input, init);
        note(AWAY.has(response.status));
        return response;
      } catch (error) {
        if (!init?.signal?.aborted) note(true);
        throw error;
      }
    },
  };
}
