import { afterAll, beforeAll, expect, it } from 'vitest';
import { graphql } from '../../support/generated/gql.ts';
import { sayAt } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

it('thread setting beats user setting beats channel setting beats the default', async () => {
  const client = await world.user('timeouts');
  const configure = graphql(`
    mutation Timeouts($user: Int, $channel: Int) {
      configureUser(inactivityTimeoutMinutes: $user) {
        __typename
      }
      configureChannel(name: "SMS", kind: IMPLICIT, inactivityTimeoutMinutes: $channel) {
        __typename
      }
    }
  `);
  const update = graphql(`
    mutation ThreadTimeout($threadId: ID!) {
      updateThread(threadId: $threadId, inactivityTimeoutMinutes: 5) {
        __typename
      }
    }
  `);
  const continues = async (from: string, to: string, ownTimeout = false) => {
    const first = await sayAt(client, from, 'one');
    if (ownTimeout) await client.execute(update, { threadId: first.thread.id });
    return (await sayAt(client, to, 'two')).thread.id === first.thread.id;
  };
  expect(await continues('01:00', '01:30')).toBe(true);
  await client.execute(configure, { user: null, channel: 10 });
  expect(await continues('03:00', '03:11')).toBe(false);
  await client.execute(configure, { user: 60, channel: 10 });
  expect(await continues('05:00', '06:00')).toBe(true);
  expect(await continues('08:00', '08:06', true)).toBe(false);
});

it("a thread that loses its own timeout becomes idle by the user's setting, else the channel's, else the default", async () => {
  const client = await world.user('withdrawn');
  const configure = graphql(`
    mutation Withdrawn($user: Int, $channel: Int) {
      configureUser(inactivityTimeoutMinutes: $user) {
        __typename
      }
      configureChannel(name: "sms", kind: IMPLICIT, inactivityTimeoutMinutes: $channel) {
        __typename
      }
    }
  `);
  const withdraw = graphql(`
    mutation Withdraw($threadId: ID!) {
      updateThread(threadId: $threadId, inactivityTimeoutMinutes: null) {
        ... on Thread {
          idleAt
        }
      }
    }
  `);
  const { thread } = await sayAt(client, '06:00', 'hello');
  const idleAt = async (settings: { user: number | null; channel: number | null }) => {
    await client.execute(configure, settings);
    const { updateThread } = await client.execute(withdraw, { threadId: thread.id });
    return 'idleAt' in updateThread ? updateThread.idleAt : null;
  };
  expect(await idleAt({ user: null, channel: null })).toBe('2026-03-02T06:30:00.000Z');
  expect(await idleAt({ user: null, channel: 10 })).toBe('2026-03-02T06:10:00.000Z');
  expect(await idleAt({ user: 60, channel: 10 })).toBe('2026-03-02T07:00:00.000Z');
  const chosen = await sayAt(client, '06:00', 'hello', {
    channel: 'web',
    newThread: { title: 'A' },
  });
  const explicit = await client.execute(withdraw, { threadId: chosen.thread.id });
  expect(explicit.updateThread).toEqual({ idleAt: '2026-03-02T09:00:00.000Z' });
});

it("a user's rule for a channel that is reset gives way to the deployment's, also if there was none", async () => {
  const client = await world.user('reset');
  const configure = graphql(`
    mutation ExplicitSms {
      configureChannel(name: "sms", kind: EXPLICIT) {
        __typename
      }
    }
  `);
  const reset = graphql(`
    mutation Reset($name: String!) {
      resetChannel(name: $name) {
        ... on User {
          channelSettings {
            name
          }
        }
        ... on InvalidInputError {
          issues {
            path
          }
        }
      }
    }
  `);
  const resets = async (name: string) => (await client.execute(reset, { name })).resetChannel;
  await client.execute(configure);
  const tell = (time: string, text: string) =>
    sayAt(client, time, text).then(({ thread }) => thread.id);
  await expect(tell('01:00', 'one')).rejects.toThrow();
  expect(await resets('voice')).toEqual({ channelSettings: [{ name: 'sms' }] });
  expect(await resets('SMS')).toEqual({ channelSettings: [] });
  expect(await tell('01:00', 'one')).toBe(await tell('01:10', 'two'));
  expect(await resets('SMS')).toEqual({ channelSettings: [] });
  expect(await resets('a b')).toEqual({ issues: [{ path: 'name' }] });
});
