import { expect, it, vi } from 'vitest';
import { createLocalPublisher } from '../../src/events/publisher.ts';
import { createWatchers } from '../../src/events/watchers.ts';
import { createLogger } from '../../src/observability/logger.ts';

const POLL = 5_000;

it('polling all logs makes up for lost notifications', async () => {
  vi.useFakeTimers();
  try {
    const publisher = createLocalPublisher();
    const asked: (readonly string[])[] = [];
    let log: { userId: string; last: number }[] = [];
    const newest = async (userIds: readonly string[]) => {
      asked.push(userIds);
      return log;
    };
    using watchers = createWatchers(publisher, newest, createLogger('silent'));
    await vi.advanceTimersByTimeAsync(POLL);
    expect(asked).toEqual([]);

    const looks = { ann: 0, twin: 0, bob: 0 };
    const leave = watchers.add('ann', { seen: () => 3, look: () => (looks.ann += 1) });
    watchers.add('ann', { seen: () => 4, look: () => (looks.twin += 1) });
    watchers.add('bob', { seen: () => 7, look: () => (looks.bob += 1) });
    publisher.publish('ann');
    publisher.publish('cid');
    expect(looks).toEqual({ ann: 1, twin: 1, bob: 0 });

    log = [
      { userId: 'ann', last: 4 },
      { userId: 'bob', last: 7 },
    ];
    await vi.advanceTimersByTimeAsync(POLL);
    expect(asked).toEqual([['ann', 'bob']]);
    expect(looks).toEqual({ ann: 2, twin: 1, bob: 0 });

    // Perhaps anybody's: after a lost connection.
    leave();
    log = [{ userId: 'ann', last: 5 }];
    publisher.publish(null);
    await vi.advanceTimersByTimeAsync(0);
    expect(looks).toEqual({ ann: 2, twin: 2, bob: 0 });
  } finally {
    vi.useRealTimers();
  }
});
