import type { Memory, StoredTurn } from './read-memory.ts';
import type { Sent } from './send.ts';

/**
 * Compares a memory with what was sent to it: every acknowledged turn once and word for word, any
 * other at most once and with all of its call, nothing else, in threads and events without a gap.
 * @param indexed whether the background work must be over
 * @returns a line for everything that does not hold
 */
export function checkMemory(memory: Memory, sent: readonly Sent[], indexed: boolean): string[] {
  return [
    ...checkTurns(memory, sent),
    ...checkThreads(memory),
    ...checkEvents(memory),
    ...checkTold(memory, 'TURNS_REMEMBERED'),
    ...(indexed ? checkTold(memory, 'TURNS_INDEXED') : []),
  ].map((problem) => `${memory.userId}: ${problem}`);
}

function checkTurns({ turns, turnCount }: Memory, sent: readonly Sent[]): string[] {
  const byText = groupBy(turns, ({ text }) => text);
  const problems = sent.flatMap((entry) => checkCall(entry, byText));
  const known = new Set(sent.flatMap(({ call }) => call.turns.map(({ text }) => text)));
  const unknown = turns.filter(({ text }) => !known.has(text));
  if (unknown.length > 0) problems.push(`${unknown.length} turns are stored that nobody sent`);
  if (turnCount !== turns.length) {
    problems.push(`turnCount is ${turnCount}, but there are ${turns.length} turns`);
  }
  return problems;
}

function checkCall({ call, ids }: Sent, byText: ReadonlyMap<string, StoredTurn[]>): string[] {
  const found = call.turns.map(({ text }) => byText.get(text) ?? []);
  const problems = call.turns.flatMap(({ role, idempotencyKey: key }, place) => {
    const [turn, ...doubles] = found[place] ?? [];
    if (!turn) return ids ? [`turn ${key} was acknowledged and is lost`] : [];
    if (doubles.length > 0) return [`turn ${key} is stored ${doubles.length + 1} times`];
    const same = turn.role === role && turn.channel === call.channel;
    return same && (!ids || turn.id === ids[place]) ? [] : [`turn ${key} was altered`];
  });
  const kept = found.filter((stored) => stored.length > 0).length;
  if (ids || kept === 0 || kept === found.length) return problems;
  return [...problems, `of the call with turn ${call.turns[0]?.idempotencyKey} a part is stored`];
}

function checkThreads({ turns, threads }: Memory): string[] {
  const byThread = groupBy(turns, ({ thread }) => thread.id);
  const problems = threads.flatMap(({ id, turnCount }) => {
    const numbers = (byThread.get(id) ?? []).map(({ number }) => number).sort((a, b) => a - b);
    byThread.delete(id);
    const unbroken = numbers.every((number, index) => number === index + 1);
    if (unbroken && numbers.length === turnCount && turnCount > 0) return [];
    return [`thread ${id} says ${turnCount} turns and has the numbers ${numbers.join(' ')}`];
  });
  if (byThread.size > 0) problems.push(`${byThread.size} threads of turns are not listed`);
  return problems;
}

function checkEvents({ events }: Memory): string[] {
  const wrong = events.find(({ number }, index) => number !== index + 1);
  return wrong ? [`event numbers break at ${wrong.number}`] : [];
}

/** Every turn must be told of by exactly one event of the kind. */
function checkTold({ turns, events }: Memory, kind: string): string[] {
  const told = new Map<string, number>();
  for (const event of events.filter((each) => each.kind === kind)) {
    for (const { id } of event.turns) told.set(id, (told.get(id) ?? 0) + 1);
  }
  const wrong = turns.filter(({ id }) => told.get(id) !== 1);
  if (wrong.length === 0) return [];
  const counts = [...new Set(wrong.map(({ id }) => told.get(id) ?? 0))].join(', ');
  return [`${wrong.length} of ${turns.length} turns are in ${counts} ${kind} events, not in one`];
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
