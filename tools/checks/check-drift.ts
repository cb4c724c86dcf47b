import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { migrate } from '../../src/db/core/migrate.ts';
import { startEmbedded } from '../../src/db/embedded/embedded.ts';

// Compares the result of the migrations with prisma/schema.prisma, so that neither is changed without the other. Prints the
// SQL that the migrations lack, and exits with code 1 if there is any.

const SCHEMA = new URL('../../prisma/schema.prisma', import.meta.url);
const require = createRequire(import.meta.url);

// The parts that @types/node does not describe.
type Exports = { __wbindgen_start(): void };
type Instantiate = (
  wasm: Uint8Array,
  imports: object,
) => Promise<{ instance: { exports: Exports } }>;
const { instantiate } = WebAssembly as unknown as { instantiate: Instantiate };
const glue = bindings as unknown as { __wbg_set_wasm(exports: Exports): void };

/** Loads Prisma's schema engine. It instantiates the WebAssembly by hand, since Node.js 20 cannot import it. */
async function loadEngine(schema: string, pool: pg.Pool): Promise<bindings.SchemaEngine> {
  const script = require.resolve('@prisma/schema-engine-wasm');
  const wasm = await readFile(script.replace(/\.js$/, '_bg.wasm'));
  const { instance } = await instantiate(wasm, { './schema_engine_bg.js': bindings });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings.SchemaEngine.new(
    { datamodels: [['schema.prisma', schema]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(catalogAdapter(pool)),
  );
}

/**
 * Creates Prisma's adapter with support for the catalog's type "char", which the engine needs to read constraints and which
 * adapter-pg 7.10 does not know. The type passes the adapter disguised as a date: the catalog contains no dates.
 */
function catalogAdapter(pool: pg.Pool): PrismaPg {
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryResult>;
  const disguise = async (...args: unknown[]) => {
    const result = await query(...args);
    for (const field of result.fields) if (field.dataTypeID === 18) field.dataTypeID = 1082;
    return result;
  };
  const factory = new PrismaPg(Object.assign(pool, { query: disguise }));
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (statement) => {
      const result = await queryRaw(statement);
      const types = result.columnTypes.map((type) =>
        type === ColumnTypeEnum.Date ? ColumnTypeEnum.Character : type,
      );
      return { ...result, columnTypes: types };
    };
    return adapter;
  };
  return factory;
}

/** Returns the SQL that would change a freshly migrated database to the schema; empty if both agree. */
async function drift(): Promise<string> {
  await using embedded = await startEmbedded({ folder: null });
  await migrate(embedded.connection);
  const pool = new pg.Pool(embedded.connection);
  const schema = await readFile(SCHEMA, 'utf8');
  const files = [{ path: 'schema.prisma', content: schema }];
  const engine = await loadEngine(schema, pool);
  const { stdout } = await engine.diff({
    from: { tag: 'schemaDatasource', files, configDir: '.' },
    to: { tag: 'schemaDatamodel', files },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  await pool.end();
  return (stdout ?? '').trim();
}

const sql = await drift();
const empty = sql === '' || sql === '-- This is an empty migration.';
console.log(empty ? 'The migrations agree with prisma/schema.prisma.' : sql);
process.exitCode = empty ? 0 : 1;
