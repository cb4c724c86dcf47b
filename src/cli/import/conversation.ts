import { canBe } from '../../domain/turns/turn.ts';

/** How many messages, attachments or conversations were skipped, by reason. */
export type Skipped = Record<string, number>;

export type ImportedTurn = { isUser: boolean; speaker: string; text: string; occurredAt: Date };

/** A conversation, or a part of one, from a file. Without an id, inactivity decides to which thread its turns belong. */
export type Conversation = {
  id: string | null;
  title: string | null;
  /** In chronological order. */
  turns: ImportedTurn[];
  skipped: Skipped;
};

/** The longest text of a turn, in characters. */
const MAX_TEXT = 100_000;
/** The longest title of a thread, in characters. */
const MAX_TITLE = 200;

/** The input of a reader besides the file: the user's name in the turns, and the current time. */
export type Reading = { self: string; now: Date };

export const WITHOUT_TIME = 'messages without a valid time';

/** Reads the time of a turn; null if it is not a time, is before 1970 or in the future. */
export const momentOf = (time: string | number, now: Date): Date | null => {
  const at = new Date(time);
  return canBe(at, now) ? at : null;
};

/** Counts something that was skipped. */
export function skip(skipped: Skipped, reason: string, count = 1): void {
  skipped[reason] = (skipped[reason] ?? 0) + count;
}

/** Removes what a turn cannot store: NUL characters and unpaired surrogates. */
const clean = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

/** Splits a turn whose text is too long into several turns. Returns none if the text is blank. */
export function turnsOf(turn: ImportedTurn): ImportedTurn[] {
  const turns: ImportedTurn[] = [];
  for (let rest = clean(turn.text); rest.trim() !== ''; ) {
    const cut = rest.slice(0, MAX_TEXT);
    // Does not cut a surrogate pair in two.
    const text = cut.isWellFormed() ? cut : cut.slice(0, -1);
    turns.push({ ...turn, text });
    rest = rest.slice(text.length);
  }
  return turns.filter(({ text }) => text.trim() !== '');
}

/** Cuts a title to the length that a thread can have; null if it is missing or blank. */
export function titleOf(name: string | null | undefined): string | null {
  const title = clean(name ?? '')
    .trim()
    .slice(0, MAX_TITLE);
  return title === '' ? null : title.toWellFormed();
}
