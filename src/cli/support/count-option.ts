import { InvalidArgumentError } from 'commander';

const wholeNumber =
  (least: number, what: string) =>
  (text: string): number => {
    const count = text.trim() === '' ? Number.NaN : Number(text);
    if (Number.isSafeInteger(count) && count >= least) return count;
    throw new InvalidArgumentError(`It must be ${what}.`);
  };

/** Parses an option that must be a whole number greater than 0. @throws InvalidArgumentError */
export const countOption = wholeNumber(1, 'a whole number greater than 0');

/** Parses an option that must be 0 or a whole number greater than 0. @throws InvalidArgumentError */
export const countOrNoneOption = wholeNumber(0, '0 or a whole number greater than 0');
