import type { Statement, Tx } from '../core/database.ts';
import { vectorLiteral } from './vectors.ts';

/** A row without a vector by an embedder, and the text to embed. */
type Pending = { id: number; text: string };

/** Reads rows that have no vector: the statement takes the user, the embedder and how many at most. */
export const pendingBy =
  (statement: Statement) =>
  (tx: Tx, embedder: string, most: number): Promise<Pending[]> =>
    tx.query(statement, [tx.userId, embedder, most]);

/**
 * Stores vectors; a null says that the embedder refuses the text. The statement takes the user, the embedder and the rows
 * as JSON (id, text, embedding). The user's row must be locked: else a forget could come between.
 */
export const saveBy =
  (statement: Statement) =>
  (
    tx: Tx,
    embedder: string,
    made: readonly (Pending & { vector: Float32Array | null })[],
  ): Promise<object[]> => {
    const rows = made.map(({ vector, ...own }) => ({
      ...own,
      embedding: vector && vectorLiteral(vector),
    }));
    return tx.query(statement, [tx.userId, embedder, JSON.stringify(rows)]);
  };
