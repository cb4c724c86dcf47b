import { canBe } from '../../domain/turns/turn.ts';

/** What of a file was left out, by why. */
export type Skipped = Record<string, number>;

export type ImportedTurn = { isUser: boolean; speaker: string; text: string; occurredAt: Date };

/** A conversation, or a part of one, as a file holds it. Without an id, inactivity decides about threads. */
export type Conversation = {
  id: string | null;
  title: string | null;
  /** In the order in which they were said. */
  turns: ImportedTurn[];
  skipped: Skipped;
};

/** The longest text of a turn, in characters. */
const MOST_TEXT = 100_000;
const MOST_TITLE = 200;

/** What a reader is told: the user's name, and the present. */
export type Reading = { self: string; now: Date };

export const WITHOUT_TIME = 'without a time that can be';

/** A moment as a turn can have it; null where that cannot be. */
export const momentOf = (time: string | number, now: Date): Date | null => {
  const at = new Date(time);
  return canBe(at, now) ? at : null;
};

/** Counts what was left out. */
export function skip(skipped: Skipped, why: string, count = 1): void {
  skipped[why] = (skipped[why] ?? 0) + count;
}

/** Text that a turn can hold. */
const clean = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

/** A text as one or, where it is longer than a turn can be, several turns. */
export function turnsOf(turn: ImportedTurn): ImportedTurn[] {
  const whole = clean(turn.text);
  const turns: ImportedTurn[] = [];
  for (let rest = whole; rest.trim() !== ''; ) {
    const cut = rest.slice(0, MOST_TEXT);
    const text = cut.isWellFormed() ? cut : cut.slice(0, -1);
    turns.push({ ...turn, text });
    rest = rest.slice(text.length);
  }
  return turns.filter(({ text }) => text.trim() !== '');
}

/** A title that a thread can have; null where there is none. */
export function titleOf(name: string | null | undefined): string | null {
  const title = clean(name ?? '')
    .trim()
    .slice(0, MOST_TITLE);
  return title === '' ? null : title.toWellFormed();
}
