import pg from 'pg';

/** The role that row-level security applies to (see the migrations). */
export const APP_ROLE = 'mnemograph_app';

/** The role of transactions of several users at once (see the migrations). */
const GROUP_ROLE = 'mnemograph_group';

/** How long a statement waits for a lock, in milliseconds. A transaction that holds one for longer is stuck. */
export const LOCK_WITHIN = 10_000;

/** The same in a transaction of several users. Each of them can have one of its own instead. */
const GROUP_LOCK_WITHIN = 300;

/**
 * What PostgreSQL's planner takes for the cost of a page read at random. Its default, 4, is for disks that turn: with it, a plan
 * for all users reads all turns of a user to find one by its id.
 */
const RANDOM_PAGE_COST = "'1.1'";

/** How a transaction runs (see Database.asUser). */
export type TransactionOptions = {
  lock?: boolean;
  holdsOffForget?: boolean;
  readOnly?: boolean;
  readsFirst?: boolean;
  snapshot?: boolean;
  generic?: boolean;
  useReserve?: boolean;
  isBulk?: boolean;
};

type Opening = TransactionOptions & {
  /** The traceparent that jobs stored in the transaction continue (see jobs.traceparent). */
  cause: string | null;
  /** Whether the tables are distributed (see layout.ts). */
  distributed: boolean;
};

/**
 * The messages that open a transaction, to be sent in one round trip. On distributed tables some settings are made by SET LOCAL
 * in messages of their own, as Citus passes those on to the workers; elsewhere by the same message as the rest.
 */
export function begin(userId: string, { cause, distributed, ...options }: Opening): string[] {
  const user = pg.escapeLiteral(userId);
  const settings = [
    ['random_page_cost', RANDOM_PAGE_COST],
    ['mnemograph.user_id', user],
  ];
  if (cause) settings.push(['mnemograph.traceparent', pg.escapeLiteral(cause)]);
  const rows = rowsOf(user, options);
  // One plan for all values cannot know the shard.
  const plans = options.generic && !distributed ? GENERIC : '';
  const scope = `BEGIN${modeOf(options)}; SELECT set_config('jit', 'off', true),
    set_config('lock_timeout', '${LOCK_WITHIN}', true), set_config('role', '${APP_ROLE}', true)${plans}`;
  if (distributed) {
    return [
      `${scope}${ONE_SHARD}`,
      ...settings.map(([name, value]) => `SET LOCAL ${name} = ${value}`),
      ...rows,
    ];
  }
  const set = settings.map(([name, value]) => `set_config('${name}', ${value}, true)`);
  return [[[scope, ...set].join(', '), ...rows].join('; ')];
}

/**
 * The message that opens a transaction of several users, locks their rows, and returns which it has locked. Users whose row is
 * missing, or locked by another transaction, are left out. Not on distributed tables, where each statement is
 * for one user.
 */
export function beginGroup(userIds: readonly string[]): string {
  const users = `ARRAY[${userIds.map((userId) => pg.escapeLiteral(userId)).join(', ')}]`;
  return `BEGIN; SELECT set_config('jit', 'off', true), set_config('lock_timeout', '${GROUP_LOCK_WITHIN}', true),
    set_config('role', '${GROUP_ROLE}', true), set_config('random_page_cost', ${RANDOM_PAGE_COST}, true),
    set_config('mnemograph.user_ids', ${users}::text, true);
    SELECT user_id AS "userId" FROM users WHERE user_id = ANY(${users}) ORDER BY user_id FOR NO KEY UPDATE SKIP LOCKED`;
}

/** Citus refuses a statement that would go to several shards; so would be the attempt of a plan for all values. */
const ONE_SHARD = `, set_config('citus.multi_task_query_log_level', 'error', true),
    set_config('plan_cache_mode', 'force_custom_plan', true)`;

const GENERIC = `, set_config('plan_cache_mode', 'force_generic_plan', true)`;

/** The statements that lock the user's row, and read the erase epoch. */
function rowsOf(user: string, { lock, holdsOffForget }: TransactionOptions): string[] {
  const readEpoch = `SELECT erase_epoch AS epoch FROM users WHERE user_id = ${user}`;
  if (lock) {
    return [
      `INSERT INTO users (user_id) VALUES (${user}) ON CONFLICT DO NOTHING; ${readEpoch} FOR NO KEY UPDATE`,
    ];
  }
  return holdsOffForget ? [`${readEpoch} FOR KEY SHARE`] : [];
}

function modeOf({ snapshot, readOnly, useReserve }: TransactionOptions): string {
  if (snapshot) return ' ISOLATION LEVEL REPEATABLE READ READ ONLY';
  if (readOnly) return ' READ ONLY';
  return useReserve ? ' READ WRITE' : '';
}
