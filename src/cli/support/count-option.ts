import { InvalidArgumentError } from 'commander';

/** Reads an option that must be a whole number from 1. @throws InvalidArgumentError */
export function countOption(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It must be a whole number above 0.');
}
