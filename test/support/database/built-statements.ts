/** Statements that are built when they are sent: an expression that makes each of them. */
export const BUILT = new Map([
  ['db/archive/write-archive.ts: statement', 'STORE'],
  ['db/archive/read-archive.ts: open(row)', 'ARCHIVE_ROWS.map(open)'],
  ['db/archive/read-archive.ts: fetch(most)', 'fetch(16)'],
  ['db/kinds/episodes/erase.ts: statement', 'eraseWith(erase.withTexts)'],
  ['db/turns/remember.ts: LOAD(tx)', "[LOAD({ userId: '' }), LOAD({ userIds: [] })]"],
  ['db/turns/placements.ts: SAVE(tx)', "[SAVE({ userId: '' }), SAVE({ userIds: [] })]"],
  ['db/turns/turn-contents.ts: STATEMENTS[content]', 'Object.values(STATEMENTS)'],
  ['db/vectors/derived-vectors.ts: statementOf(PENDING, step)', '[...PENDING.values()]'],
  ['db/vectors/derived-vectors.ts: statementOf(SAVE, step)', '[...SAVE.values()]'],
  [
    'db/search/hnsw.ts: { name, text: nearestSql(vector.length) }',
    "{ name: 'hnsw-nearest', text: nearestSql(256) }",
  ],
]);

/** What must have been run for a statement to be understood: its table, or its cursor, is made on the way. */
export const BEFORE = ['archive-prepare', 'archive-open-turn'];
