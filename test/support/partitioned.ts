/** Tables that hold no user's rows. */
const SHARED = new Set(['api_keys', 'server_clock']);

const CREATE_TABLE = /CREATE TABLE (\w+) \((.*?)\n\);/gs;

/** A migration with every user table hash-partitioned by its user, as a distributed database would have it. */
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
