import { setImmediate } from 'node:timers/promises';
import { type BatchLimit, batchesOf } from '../../../domain/core/batches.ts';
import { termsOf } from '../../../language/text/terms.ts';
import type { Statement, Tx } from '../../core/database.ts';

/** What is read at once, at least one turn: a turn may have megabytes, and all of them would not fit into memory. */
const READ: BatchLimit = { items: 500, size: 1_000_000 };
/**
 * Characters that are taken apart at once, and by how many the pieces overlap: others must not wait for a long text, nor for
 * many texts. The slowest script takes 7 ms for so many.
 */
const PIECE = 5_000;
const OVERLAP = 64;

const SIZES: Statement = {
  name: 'forgotten-words-sizes',
  text: `
SELECT id, octet_length(text) + coalesce(octet_length(tool_calls::text), 0) AS bytes
FROM turns WHERE user_id = $1 AND id = ANY($2::int[]) ORDER BY id`,
};

type SizeRow = { id: number; bytes: number };

const TEXTS: Statement = {
  name: 'forgotten-words-texts',
  text: `
SELECT id, concat_ws(' ', speaker, text, tool_calls::text) AS text FROM turns WHERE user_id = $1 AND id = ANY($2::int[])`,
};

/** The terms of each of some turns, of what was said and by whom. */
export async function* termsOfTurns(
  tx: Tx,
  turnIds: readonly number[],
): AsyncGenerator<{ id: number; terms: Set<string> }> {
  let sincePause = 0;
  const sizes = await tx.query<SizeRow>(SIZES, [tx.userId, turnIds]);
  for (const batch of batchesOf(sizes, READ, ({ bytes }) => bytes)) {
    const ids = batch.map(({ id }) => id);
    for (const { id, text } of await tx.query<{ id: number; text: string }>(TEXTS, [
      tx.userId,
      ids,
    ])) {
      const terms = new Set<string>();
      for (let at = 0; at < text.length; at += PIECE) {
        for (const term of termsOf(text.slice(at, at + PIECE + OVERLAP)).keys()) terms.add(term);
        sincePause += Math.min(PIECE, text.length - at);
        if (sincePause < PIECE) continue;
        sincePause = 0;
        await setImmediate();
      }
      yield { id, terms };
    }
  }
}

const LEFT: Statement = {
  name: 'forgotten-words-left',
  text: `
SELECT asked.term FROM unnest($3::text[]) AS asked(term) WHERE EXISTS (
  SELECT FROM postings p WHERE p.user_id = $1 AND p.term = asked.term AND p.turn_id <> ALL($2::int[]))`,
};

/** What is said in the turns that are forgotten. */
export type ForgottenWords = {
  all: Set<string>;
  /** What no other turn says. */
  only: Set<string>;
};

/** The terms of turns that are about to be forgotten. */
export async function forgottenWords(tx: Tx, turnIds: readonly number[]): Promise<ForgottenWords> {
  const all = new Set<string>();
  for await (const { terms } of termsOfTurns(tx, turnIds)) {
    for (const term of terms) all.add(term);
  }
  const left = await tx.query<{ term: string }>(LEFT, [tx.userId, turnIds, [...all]]);
  const remaining = new Set(left.map(({ term }) => term));
  return { all, only: new Set([...all].filter((term) => !remaining.has(term))) };
}
