/** A number with its noun, such as "1 turn" or "2,000 turns". */
export const plural = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;
