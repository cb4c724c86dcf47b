/** Tables without rows of users. */
export const SHARED_TABLES: ReadonlySet<string> = new Set(['api_keys', 'server_clock']);

const CREATE_TABLE = /CREATE TABLE (\w+) \((.*?)\n\);/gs;

/** Rewrites a migration so that every table of users that it creates is hash-partitioned by user. */
export const partitioned =
  (partitions: number) =>
  (sql: string): string =>
    sql.replace(CREATE_TABLE, (whole, table: string, columns: string) => {
      if (SHARED_TABLES.has(table)) return whole;
      const parts = Array.from(
        { length: partitions },
        (_, index) =>
          `CREATE TABLE ${table}_p${index} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${index});`,
      );
      return [`CREATE TABLE ${table} (${columns}\n) PARTITION BY HASH (user_id);`, ...parts].join(
        '\n',
      );
    });
