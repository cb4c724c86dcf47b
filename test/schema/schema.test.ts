import { lexicographicSortSchema, printSchema } from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/schema/index.ts';

it('matches schema.graphql', async () => {
  await expect(`${printSchema(lexicographicSortSchema(schema))}\n`).toMatchFileSnapshot(
    '../../schema.graphql',
  );
});
