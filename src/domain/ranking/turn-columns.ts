/** All turns of a memory as columns, one row per turn in any order, with the rows before and after it in its thread. */
export type TurnColumns = {
  rows: number;
  ids: Int32Array;
  threadIds: Int32Array;
  numbers: Int32Array;
  words: Int32Array;
  /** Columns; -1 = none. */
  before: Int32Array;
  after: Int32Array;
  rowOf: Map<number, number>;
  /** The row of the last turn, by thread. */
  lastOf: Map<number, number>;
};

type Columns = Record<'ids' | 'threadIds' | 'numbers' | 'words', readonly number[]>;

export const noTurns = (): TurnColumns => ({
  rows: 0,
  ids: new Int32Array(0),
  threadIds: new Int32Array(0),
  numbers: new Int32Array(0),
  words: new Int32Array(0),
  before: new Int32Array(0),
  after: new Int32Array(0),
  rowOf: new Map(),
  lastOf: new Map(),
});

/** Adds turns; those that exist already are left unchanged. */
export function addTurns(columns: TurnColumns, added: Columns): void {
  makeRoom(columns, columns.rows + added.ids.length);
  let inOrder = true;
  for (const [index, id] of added.ids.entries()) {
    if (columns.rowOf.has(id)) continue;
    const row = columns.rows;
    const threadId = added.threadIds[index] ?? 0;
    const number = added.numbers[index] ?? 0;
    columns.ids[row] = id;
    columns.threadIds[row] = threadId;
    columns.numbers[row] = number;
    columns.words[row] = added.words[index] ?? 0;
    columns.rowOf.set(id, row);
    columns.rows += 1;
    const last = columns.lastOf.get(threadId) ?? -1;
    inOrder &&= last === -1 || (columns.numbers[last] ?? 0) < number;
    join(columns, last, row);
    columns.after[row] = -1;
    columns.lastOf.set(threadId, row);
  }
  if (!inOrder) putInOrder(columns);
}

function join({ before, after }: TurnColumns, earlier: number, later: number): void {
  before[later] = earlier;
  if (earlier !== -1) after[earlier] = later;
}

/** Links all rows again in the order of their numbers, after an out-of-order turn was added. */
function putInOrder(columns: TurnColumns): void {
  const { threadIds, numbers, before, after, lastOf } = columns;
  const order = Array.from({ length: columns.rows }, (_, row) => row).sort(
    (a, b) =>
      (threadIds[a] as number) - (threadIds[b] as number) ||
      (numbers[a] as number) - (numbers[b] as number),
  );
  before.fill(-1);
  after.fill(-1);
  for (const [at, row] of order.entries()) {
    const earlier = order[at - 1] ?? -1;
    if (earlier !== -1 && threadIds[earlier] === threadIds[row]) join(columns, earlier, row);
    lastOf.set(threadIds[row] as number, row);
  }
}

const NAMES = ['ids', 'threadIds', 'numbers', 'words', 'before', 'after'] as const;

function makeRoom(columns: TurnColumns, rows: number): void {
  if (rows <= columns.ids.length) return;
  const room = columns.rows === 0 ? rows : Math.ceil(rows * 1.25);
  for (const name of NAMES) {
    const larger = new Int32Array(room);
    larger.set(columns[name]);
    columns[name] = larger;
  }
}

/** Writes the rows around a row in its thread, in their order and with itself in the middle; -1 = none. @param into of odd length */
export function rowsAround({ before, after }: TurnColumns, row: number, into: Int32Array): void {
  const middle = (into.length - 1) / 2;
  into[middle] = row;
  for (let at = middle - 1, next = row; at >= 0; at -= 1) {
    if (next !== -1) next = before[next] as number;
    into[at] = next;
  }
  for (let at = middle + 1, next = row; at < into.length; at += 1) {
    if (next !== -1) next = after[next] as number;
    into[at] = next;
  }
}
