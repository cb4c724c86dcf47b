/** A migration failed, or the applied migrations are not those that this version expects. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  readonly code = 'MIGRATION_ERROR';
}
