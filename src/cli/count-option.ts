import { InvalidArgumentError } from 'commander';

/** Reads an option that must be a whole number from 1. @throws InvalidArgumentError */
export function countOption(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It must be 1 or more.');
  return count;
}
