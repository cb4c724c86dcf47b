import { setImmediate } from 'node:timers/promises';
import {
  type FactTerms,
  type FactWords,
  termsOfFact,
} from '../../../domain/facts/restated-fact.ts';
import type { Tx } from '../../core/database.ts';
import { forgottenWords, termsOfTurns } from './forgotten-words.ts';

/** Words of a row, of turns that are left. `isByRules`: the built-in rules have put them. */
export type Searched<Row> = {
  of: Row;
  turnIds: number[];
  /** Any word of the forgotten turns counts, not only those that no other turn says. */
  isNear: boolean;
  isByRules: boolean;
  words: FactWords;
};

/** What may contain words of the forgotten turns. `taken`: those that count. */
type Suspect<Row> = Searched<Row> & { terms: FactTerms; taken: ReadonlySet<string> };

/** How many characters are searched at once: others must not wait for a memory of many facts. */
const SEARCHED_AT_ONCE = 5_000;

/** The rows with words of turns that are about to be forgotten. Words that a row's own turns contain, too, are its own. */
export async function rowsInWordsOf<Row>(
  tx: Tx,
  forgottenIds: readonly number[],
  searched: Iterable<Searched<Row>>,
): Promise<Set<Row>> {
  const { all, only } = await forgottenWords(tx, forgottenIds);
  const suspects: Suspect<Row>[] = [];
  let sincePause = 0;
  for (const row of searched) {
    const terms = termsOfFact(row.words);
    const taken = row.isNear ? all : only;
    const isSuspect = Object.values(terms).some((some) => some.some((term) => taken.has(term)));
    if (isSuspect) suspects.push({ ...row, terms, taken });
    sincePause += row.words.value.length + row.words.statement.length;
    if (sincePause < SEARCHED_AT_ONCE) continue;
    sincePause = 0;
    await setImmediate();
  }
  const termsByTurn = new Map<number, Set<string>>();
  const suspectIds = [...new Set(suspects.flatMap(({ turnIds }) => turnIds))];
  for await (const { id, terms } of termsOfTurns(tx, suspectIds)) termsByTurn.set(id, terms);
  const foreign = suspects.filter((suspect) =>
    isForeign(suspect, (term) => suspect.turnIds.some((id) => termsByTurn.get(id)?.has(term))),
  );
  return new Set(foreign.map(({ of }) => of));
}

function isForeign<Row>(
  { taken, isByRules, terms: { said, about, kind } }: Suspect<Row>,
  isOwn: (term: string) => boolean,
): boolean {
  const isTaken = (term: string) => taken.has(term) && !isOwn(term);
  if (said.some(isTaken) || about.some(isTaken)) return true;
  return kind.some(isTaken) && !(isByRules && said.every(isOwn));
}
