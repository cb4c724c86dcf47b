import { MemoryError } from '../domain/core/errors.ts';

/** The caller did not show who it is, or what it showed is not valid. */
export class Unauthenticated extends MemoryError {
  override readonly name = 'Unauthenticated';
  readonly code = 'UNAUTHENTICATED';
}
