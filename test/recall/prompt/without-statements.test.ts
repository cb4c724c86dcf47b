import { expect, it } from 'vitest';
import { withoutStatements } from '../../../src/recall/prompt/without-statements.ts';

const PROFILE = 'How to work with them: Keep it short. I like tea with milk.\nGoals: Run far.';

it.each([
  [['Keep it short'], 'How to work with them: I like tea with milk.\nGoals: Run far.'],
  [['Run far.'], 'How to work with them: Keep it short. I like tea with milk.'],
  [['I like tea'], PROFILE],
  [['Keep it short.', 'I like tea with milk', 'Run far'], ''],
  [[], PROFILE],
])('whole statements are removed from a profile: %j', (statements, left) => {
  expect(withoutStatements(PROFILE, statements)).toBe(left);
});
