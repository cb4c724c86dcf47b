import { expect, it } from 'vitest';
import { describeApi } from '../../src/cli/describe-api.ts';
import { schema } from '../../src/schema/index.ts';

it('docs/api.md is what the schema says', async () => {
  await expect(describeApi(schema)).toMatchFileSnapshot('../../docs/api.md');
});
