import { z } from 'zod';
import type { Kind } from '../../../src/db/kinds/kind.ts';
import { at, id, text } from '../../../src/domain/archive/archive-values.ts';
import { STEPS } from '../../../src/pipeline.ts';

/** A kind of memory that the product does not have: what a user promised in a turn. */
export const PROMISES = {
  name: 'PROMISE' as never,
  rows: {
    table: 'promises p',
    row: 'p',
    id: 'p.id',
    key: { promise_id: 'p.id' },
    text: 'p.promise',
    hasText: 'true',
  },
  search: { where: 'true', at: 'p.made_at' },
  embed: { step: STEPS.embedFacts, table: 'promise_vectors' },
  erase: {
    turns:
      () =>
      async (tx, { turnIds }) => {
        const statement = {
          name: 'forget-promises',
          text: 'DELETE FROM promises WHERE user_id = $1 AND turn_id = ANY($2::int[]) RETURNING id',
        };
        return { facts: (await tx.query(statement, [tx.userId, turnIds])).length };
      },
  },
  archive: {
    rows: [
      {
        type: 'promise',
        table: 'promises',
        key: ['id'],
        row: z.strictObject({ id, turn_id: id, promise: text, made_at: at }),
        past: 'made_at',
      },
    ],
  },
  backlog: { promisesToKeep: '(SELECT count(*)::int FROM promises WHERE user_id = $1)' },
} satisfies Kind;

/** Creates its tables. */
export const TABLES = `
  CREATE TABLE promises (
    user_id TEXT NOT NULL, id INTEGER NOT NULL, turn_id INTEGER NOT NULL, promise TEXT NOT NULL, made_at TIMESTAMPTZ(3) NOT NULL,
    words tsvector GENERATED ALWAYS AS (to_tsvector('english', promise)) STORED,
    PRIMARY KEY (user_id, id), FOREIGN KEY (user_id, turn_id) REFERENCES turns);
  CREATE TABLE promise_vectors (
    user_id TEXT NOT NULL, promise_id INTEGER NOT NULL, embedder TEXT NOT NULL, embedding HALFVEC,
    PRIMARY KEY (user_id, promise_id, embedder),
    FOREIGN KEY (user_id, promise_id) REFERENCES promises ON DELETE CASCADE);
  GRANT SELECT, INSERT, UPDATE, DELETE ON promises, promise_vectors TO mnemograph_app`;
