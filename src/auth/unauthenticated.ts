import { MemoryError } from '../domain/core/errors.ts';

/** The caller sent no credentials, or credentials that are not valid. */
export class Unauthenticated extends MemoryError {
  override readonly name = 'Unauthenticated';
  readonly code = 'UNAUTHENTICATED';
}
