import { SEARCHED_CHARACTERS } from '../domain/turns/turn.ts';

/** A turn, at any depth in the input of a function. */
type TaskTurn = { id: number; role: string; text: string; unreadByRules?: boolean };

/** Takes the place of the text of a turn that rules may not read. */
export const UNREADABLE = '…';

/** Plain objects only: a Date or a Map is passed on whole. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** Any object with an id, a role and a text counts as a turn. */
const isTurn = (value: Record<string, unknown>): value is TaskTurn =>
  typeof value.id === 'number' && typeof value.role === 'string' && typeof value.text === 'string';

/** All turns in an input, by id. */
export function turnsIn(
  input: unknown,
  found = new Map<number, TaskTurn>(),
): Map<number, TaskTurn> {
  if (Array.isArray(input)) for (const item of input) turnsIn(item, found);
  else if (isRecord(input)) {
    if (isTurn(input)) found.set(input.id, input);
    else for (const value of Object.values(input)) turnsIn(value, found);
  }
  return found;
}

/**
 * The input with long texts cut, and without the text and tool calls of turns for which `isRead` is false; a turn that needs no
 * change is not copied.
 */
export function withoutUnreadable<T>(input: T, isRead: (turn: TaskTurn) => boolean): T {
  if (Array.isArray(input)) return input.map((item) => withoutUnreadable(item, isRead)) as T;
  if (!isRecord(input)) return input;
  if (isTurn(input)) {
    if (!isRead(input)) return { ...input, text: UNREADABLE, toolCalls: null };
    return input.text.length > SEARCHED_CHARACTERS
      ? { ...input, text: input.text.slice(0, SEARCHED_CHARACTERS) }
      : input;
  }
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, withoutUnreadable(value, isRead)]),
  ) as T;
}
