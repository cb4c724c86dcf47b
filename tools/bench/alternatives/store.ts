/** A memory to compare: it stores texts of users, and finds them again. */
export type Store = AsyncDisposable & {
  name: string;
  add(userId: string, text: string): Promise<void>;
  /** Waits until everything that was stored can be found. */
  settled(userIds: readonly string[]): Promise<void>;
  /** Returns the texts of the first hits, best first. */
  find(userId: string, query: string, first: number): Promise<string[]>;
};

/** The vectors of all texts and questions, made before anything is measured: the same ones for every memory. */
export type Vectors = ReadonlyMap<string, number[]>;

/** Returns the vector of a text. @throws if it was not made before */
export function vectorOf(vectors: Vectors, text: string): number[] {
  const vector = vectors.get(text);
  if (!vector) throw new Error(`There is no vector of "${text}".`);
  return vector;
}
