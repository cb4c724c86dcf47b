/** Tables without rows of users. */
const SHARED = new Set(['api_keys', 'server_clock']);

const CREATE_TABLE = /CREATE TABLE (\w+) \((.*?)\n\);/gs;

/** Rewrites a migration so that every user table is hash-partitioned by user, as in a distributed database. */
export const partitioned =
  (partitions: number) =>
  (sql: string): string =>
    sql.replace(CREATE_TABLE, (whole, table: string, columns: string) => {
      if (SHARED.has(table)) return whole;
      const parts = Array.from(
        { length: partitions },
        (_, index) =>
          `CREATE TABLE ${table}_p${index} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${index});`,
      );
      return [`CREATE TABLE ${table} (${columns}\n) PARTITION BY HASH (user_id);`, ...parts].join(
        '\n',
      );
    });
