import { InvalidInput } from '../../domain/core/errors.ts';

/** A number of entries that an argument asks for. @throws InvalidInput if it is not 1 to `most` */
export function checkedCount(argument: string, count: number, most: number): number {
  if (count >= 1 && count <= most) return count;
  throw new InvalidInput([{ path: argument, message: `must be 1 to ${most}` }]);
}
