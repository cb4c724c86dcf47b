import { expect, it } from 'vitest';
import { userIdSchema } from '../../../src/domain/turns/turn.ts';

it.each([
  ['', 'must not be empty'],
  ['  ', 'must not be blank'],
  ['a\tb', 'must not contain control characters'],
])('of the user id %j is said what is wrong, and no more', (userId, message) => {
  const issues = userIdSchema.safeParse(userId).error?.issues ?? [];
  expect(issues.map((issue) => issue.message)).toEqual([message]);
});
