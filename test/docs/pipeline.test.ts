import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { withPipeline } from '../../tools/checks/describe-pipeline.ts';

it('docs/architecture.md draws the pipeline as it is: mend it by npm run docs:api', async () => {
  const text = await readFile(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
  expect(text).toContain('<!-- pipeline: made by npm run docs:api -->');
  await expect(withPipeline(text)).toMatchFileSnapshot('../../docs/architecture.md');
});
