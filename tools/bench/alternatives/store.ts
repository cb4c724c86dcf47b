/** A memory to compare: it stores texts of users, and finds them again. */
export type Store = AsyncDisposable & {
  name: string;
  add(userId: string, text: string): Promise<void>;
  /** Waits until everything that was stored can be found. */
  settled(userIds: readonly string[]): Promise<void>;
  /** Returns the texts of the first hits, best first. */
  find(userId: string, query: string, first: number): Promise<string[]>;
};

/** Returns the vectors of texts: the same ones for every memory, without delay for the texts and questions of the comparison. */
export type Embed = (texts: readonly string[]) => Promise<number[][]>;

/** The number of dimensions of the vectors. */
export const DIMENSION = 512;
