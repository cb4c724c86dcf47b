/** A migration failed, or the applied migrations are not those that this version expects. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  readonly code = 'MIGRATION_ERROR';
}

/** PostgreSQL's code for a missing privilege. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** Returns the error for a migration that the database refused, with what to do when pgvector is the reason. */
export function migrationRefused(name: string, cause: unknown): MigrationError {
  const { message, code } = cause as { message?: string; code?: string };
  const advice =
    code === INSUFFICIENT_PRIVILEGE
      ? '. Let a superuser run "CREATE EXTENSION vector" in this database.'
      : '. Install pgvector 0.8 or later on that server.';
  const reason = message ?? String(cause);
  return new MigrationError(
    `Migration ${name} failed and was rolled back: ${reason}${reason.includes('extension "vector"') ? advice : ''}`,
    { cause },
  );
}
