import pg from 'pg';

/** The role that row-level security applies to (see the migrations). */
export const APP_ROLE = 'mnemograph_app';

/** How long a statement waits for a lock, in milliseconds. A transaction that holds one for longer is stuck. */
export const LOCK_WITHIN = 10_000;

/** How a transaction runs (see Database.asUser). */
export type TransactionOptions = {
  lock?: boolean;
  holdsOffForget?: boolean;
  readOnly?: boolean;
  snapshot?: boolean;
  generic?: boolean;
  useReserve?: boolean;
  isBulk?: boolean;
};

type Opening = TransactionOptions & {
  /** The traceparent that jobs stored in the transaction continue (see jobs.traceparent). */
  cause: string | null;
};

/** The statements that open a transaction, to be sent in one round trip. */
export function begin(userId: string, { cause, ...options }: Opening): string {
  const { lock, holdsOffForget, generic } = options;
  const user = pg.escapeLiteral(userId);
  const plans = generic ? `, set_config('plan_cache_mode', 'force_generic_plan', true)` : '';
  const trace = cause ? `, set_config('mnemograph.traceparent', '${cause}', true)` : '';
  const scope = `BEGIN${modeOf(options)}; SELECT set_config('jit', 'off', true),
    set_config('lock_timeout', '${LOCK_WITHIN}', true), set_config('role', '${APP_ROLE}', true),
    set_config('mnemograph.user_id', ${user}, true)${plans}${trace}`;
  const readEpoch = `SELECT erase_epoch AS epoch FROM users WHERE user_id = ${user}`;
  if (lock) {
    return `${scope}; INSERT INTO users (user_id) VALUES (${user}) ON CONFLICT DO NOTHING; ${readEpoch} FOR NO KEY UPDATE`;
  }
  return holdsOffForget ? `${scope}; ${readEpoch} FOR KEY SHARE` : scope;
}

function modeOf({ snapshot, readOnly, useReserve }: TransactionOptions): string {
  if (snapshot) return ' ISOLATION LEVEL REPEATABLE READ READ ONLY';
  if (readOnly) return ' READ ONLY';
  return useReserve ? ' READ WRITE' : '';
}
