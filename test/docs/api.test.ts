import { expect, it } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { describeApi } from '../../tools/checks/describe-api.ts';

it('docs/api.md is what the schema says', async () => {
  await expect(describeApi(schema)).toMatchFileSnapshot('../../docs/api.md');
});
