import { EventEmitter } from 'node:events';
import pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { createSharedPublisher } from '../../src/events/publisher.ts';
import type { Logger } from '../../src/observability/logger.ts';

afterEach(() => void vi.restoreAllMocks());

/** A publisher whose listening connection this test has in hand. */
async function listening() {
  const connection = Object.assign(new EventEmitter(), {
    connect: async () => {},
    query: async () => {},
    end: async () => void connection.emit('end'),
  });
  vi.spyOn(pg, 'Client').mockImplementation(function client() {
    return connection as unknown as pg.Client;
  });
  const warn = vi.fn();
  const query = vi.fn(async (_query: unknown) => {});
  const pool = { options: {}, query } as unknown as pg.Pool;
  const publisher = createSharedPublisher(pool, { warn } as unknown as Logger);
  await vi.waitFor(() => expect(connection.listenerCount('end')).toBe(1));
  return { publisher, connection, warn, query };
}

const CHANNEL = 'mnemograph_progress';

it('a message that another program sends on the same channel is logged and ignored', async () => {
  const { connection, warn, ...opened } = await listening();
  await using publisher = opened.publisher;
  const heard: unknown[] = [];
  publisher.onProgress((userId, { of }) => heard.push([userId, of]));
  for (const payload of ['hello', 'null', '7', '{}', '{"progress": null}', undefined]) {
    connection.emit('notification', { channel: CHANNEL, payload });
  }
  expect([heard, warn.mock.calls.length]).toEqual([[], 6]);
  expect(warn).toHaveBeenLastCalledWith('events.payload_unreadable');
  const payload = JSON.stringify({ sender: 'x', userId: 'ann', progress: { of: 'linking' } });
  connection.emit('notification', { channel: CHANNEL, payload });
  expect(heard).toEqual([['ann', 'linking']]);
});

it('the loss of the connection that listens is logged with its error', async () => {
  const { connection, warn, ...opened } = await listening();
  await using _publisher = opened.publisher;
  const error = new Error('terminated');
  connection.emit('error', error);
  expect(warn).toHaveBeenCalledWith({ err: error }, 'events.listen_lost');
});

/** The users named by the notifications of each statement. */
const usersIn = ({ mock }: { mock: { calls: unknown[][] } }) =>
  mock.calls.flatMap(([statement]) => {
    const { values } = statement as { values?: [string, string[]] };
    return values ? [values[1].map((payload) => payload.split(' ')[1])] : [];
  });

it('a change is published at once, and those that follow it together', async () => {
  const { query, ...opened } = await listening();
  await using publisher = opened.publisher;
  publisher.publish('ann');
  for (const userId of ['ben', 'cleo', 'ben']) publisher.publish(userId);
  expect(usersIn(query)).toEqual([['ann']]);
  await vi.waitFor(() => expect(usersIn(query)).toEqual([['ann'], ['ben', 'cleo']]));
});

it('a publisher that closes publishes what it has gathered', async () => {
  const { publisher, query } = await listening();
  publisher.publish('ann');
  publisher.publish('ben');
  await publisher[Symbol.asyncDispose]();
  expect(usersIn(query)).toEqual([['ann'], ['ben']]);
});
