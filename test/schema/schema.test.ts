import { lexicographicSortSchema, printSchema } from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/schema/index.ts';

it('the schema equals schema.graphql', async () => {
  await expect(`${printSchema(lexicographicSortSchema(schema))}\n`).toMatchFileSnapshot(
    '../../schema.graphql',
  );
});
