import { buildSchema, parse } from 'graphql';
import { expect, it } from 'vitest';
import { CallerGone } from '../../../src/domain/core/errors.ts';
import { subscribeOfFanOut } from '../../support/network/fan-out.ts';

it('a subscriber who has left ends alone: others of the same operation still get the event', async () => {
  const subscribe = subscribeOfFanOut();
  const schema = buildSchema('type Query { n: Int } type Subscription { told: Int }');
  const document = parse('subscription { told }');
  const event = { userId: 'ann', told: 1 };
  let returned = 0;
  const listen = async (refusal: Error | null) => {
    const told = () => ({
      next: async () => ({ done: false, value: event }),
      return: async () => {
        returned += 1;
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    });
    const viewer = { kind: 'user', userId: 'ann' };
    const contextValue = { viewer, answer: { finish: () => false, refusal } };
    return (await subscribe({ schema, document, contextValue, rootValue: { told } })).next();
  };
  // The first makes the result that the others share.
  const [gone, ...others] = await Promise.all([
    listen(new CallerGone()),
    listen(null),
    listen(null),
  ]);
  expect(gone).toEqual({ done: true, value: undefined });
  expect(others).toEqual(Array(2).fill({ done: false, value: { data: { told: 1 } } }));
  expect(returned).toBe(1);
});
