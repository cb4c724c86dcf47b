import { InvalidArgumentError } from 'commander';

/** Parses an option that must be a whole number greater than 0. @throws InvalidArgumentError */
export function countOption(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It must be a whole number greater than 0.');
}

/** Parses an option that must be 0 or a whole number greater than 0. @throws InvalidArgumentError */
export function countOrNoneOption(text: string): number {
  const count = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new InvalidArgumentError('It must be 0 or a whole number greater than 0.');
}
