import { type Acts, noActs } from './acts.ts';
import type { Memory, StoredTurn } from './read-memory.ts';
import type { Sent } from './send.ts';

/**
 * Compares a memory with what was sent to it. Every acknowledged turn must be stored once and word for word, any other at
 * most once and together with its call; nothing else may be stored; and threads and events must have no gaps.
 * @param indexed whether the background work must be done
 * @returns a line for each problem
 */
export function checkMemory(
  memory: Memory,
  sent: readonly Sent[],
  indexed: boolean,
  acts: Acts = noActs(),
): string[] {
  return [
    ...checkTurns(memory, sent, acts),
    ...checkThreads(memory),
    ...checkEvents(memory),
    ...checkAnnounced(memory, 'TURNS_REMEMBERED'),
    ...(indexed ? checkAnnounced(memory, 'TURNS_EMBEDDED') : []),
    ...checkActs(memory, acts),
  ].map((problem) => `${memory.userId}: ${problem}`);
}

function checkTurns(
  { userId, turns, turnCount }: Memory,
  sent: readonly Sent[],
  { forgets, imports }: Acts,
): string[] {
  const byText = groupBy(turns, ({ text }) => text);
  const forgottenOf = (entry: Sent) =>
    new Map(forgets.filter((own) => own.entry === entry).map((own) => [own.place, own.done]));
  const problems = sent.flatMap((entry) => checkCall(entry, byText, forgottenOf(entry)));
  const imported = imports
    .filter((own) => own.userId === userId)
    .flatMap((own) => own.turns.map(({ text }) => ({ text, done: own.done })));
  for (const { text, done } of imported) {
    const count = byText.get(text)?.length ?? 0;
    if (count > 1 || (done && count === 0)) problems.push(`"${text}" is stored ${count} times`);
  }
  const known = new Set([
    ...sent.flatMap(({ call }) => call.turns.map(({ text }) => text)),
    ...imported.map(({ text }) => text),
  ]);
  const unknown = turns.filter(({ text }) => !known.has(text));
  if (unknown.length > 0) problems.push(`${unknown.length} turns are stored that nobody sent`);
  if (turnCount !== turns.length) {
    problems.push(`turnCount is ${turnCount}, but there are ${turns.length} turns`);
  }
  return problems;
}

/** @param forgotten the places of turns to be forgotten, and whether that was acknowledged */
function checkCall(
  { call, ids }: Sent,
  byText: ReadonlyMap<string, StoredTurn[]>,
  forgotten: ReadonlyMap<number, boolean>,
): string[] {
  const found = call.turns.map(({ text }) => byText.get(text) ?? []);
  const problems = call.turns.flatMap(({ role, idempotencyKey: key }, place) => {
    const own = { role, channel: call.channel, id: ids?.[place] };
    const stored = found[place] ?? [];
    const wrong = forgotten.has(place)
      ? stored.length > 0 && forgotten.get(place) && 'was forgotten and is there'
      : wrongOf(stored, own);
    return wrong ? [`turn ${key} ${wrong}`] : [];
  });
  const kept = found.filter((stored) => stored.length > 0).length;
  if (ids || kept === 0 || kept === found.length) return problems;
  return [...problems, `of the call with turn ${call.turns[0]?.idempotencyKey} a part is stored`];
}

/** @param id the id of the acknowledged turn */
function wrongOf(
  [turn, ...doubles]: readonly StoredTurn[],
  { role, channel, id }: { role: string; channel: string; id: string | undefined },
): string | null {
  if (!turn) return id === undefined ? null : 'was acknowledged and is lost';
  if (doubles.length > 0) return `is stored ${doubles.length + 1} times`;
  const isAsSent = turn.role === role && turn.channel === channel;
  return isAsSent && (id === undefined || turn.id === id) ? null : 'was altered';
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

/** Checks that event numbers rise, and that as many are missing as events report to be erased. */
function checkEvents({ events }: Memory): string[] {
  const breaks = events.findIndex(({ number }, at) => number <= (events[at - 1]?.number ?? 0));
  if (breaks >= 0) return [`event numbers do not rise at ${events[breaks]?.number}`];
  const missing = (events.at(-1)?.number ?? 0) - events.length;
  const erased = events.reduce((sum, event) => sum + event.eventsErased, 0);
  if (missing === erased) return [];
  return [`${missing} event numbers are missing, but ${erased} events were erased`];
}

/** Checks that threads stay closed, facts recorded and turns forgotten. */
function checkActs({ userId, turns, threads, events, facts }: Memory, acts: Acts): string[] {
  const states = new Map(threads.map(({ id, state }) => [id, state]));
  const opened = acts.closed
    .filter((own) => own.userId === userId && (states.get(own.threadId) ?? 'CLOSED') !== 'CLOSED')
    .map(({ threadId }) => `thread ${threadId} was closed and is ${states.get(threadId)}`);
  const lost = acts.facts
    .filter((own) => own.userId === userId && facts.filter(({ id }) => id === own.id).length !== 1)
    .map(({ value }) => `the fact "${value}" was acknowledged and is not there once`);
  const living = new Set(turns.map(({ id }) => id));
  const gone = events.flatMap((event) => event.turns).filter(({ id }) => !living.has(id));
  const dead = gone.length > 0 ? [`events refer to ${gone.length} turns that do not exist`] : [];
  return [...opened, ...lost, ...dead];
}

/** Checks that every turn is in exactly one event of a kind. */
function checkAnnounced({ turns, events }: Memory, kind: string): string[] {
  const announced = new Map<string, number>();
  for (const event of events.filter((each) => each.kind === kind)) {
    for (const { id } of event.turns) announced.set(id, (announced.get(id) ?? 0) + 1);
  }
  const wrong = turns.filter(({ id }) => announced.get(id) !== 1);
  if (wrong.length === 0) return [];
  const counts = [...new Set(wrong.map(({ id }) => announced.get(id) ?? 0))].join(', ');
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
