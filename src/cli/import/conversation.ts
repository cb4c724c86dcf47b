import { canBe } from '../../domain/turns/turn.ts';
import { cut } from '../../language/text/cut.ts';
import { clean, splitText } from '../support/split-text.ts';

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

/** Splits a turn whose text is too long into several turns. Returns none if the text is blank. */
export const turnsOf = (turn: ImportedTurn): ImportedTurn[] =>
  splitText(turn.text).map((text) => ({ ...turn, text }));

/** Cuts a title to the length that a thread can have; null if it is missing or blank. */
export function titleOf(name: string | null | undefined): string | null {
  return cut(clean(name ?? '').trim(), MAX_TITLE) || null;
}
