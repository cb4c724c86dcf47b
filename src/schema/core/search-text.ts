import { InvalidInput } from '../../domain/core/errors.ts';

/** The longest text that a list is searched by, in characters. */
const MOST_CHARACTERS = 200;

/** A text that a list is searched by, without blanks around it. @throws InvalidInput if it is blank or too long */
export function checkedSearchText(argument: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed !== '' && trimmed.length <= MOST_CHARACTERS) return trimmed;
  const message = `must be 1-${MOST_CHARACTERS} characters and not blank`;
  throw new InvalidInput([{ path: argument, message }]);
}
