import { describe, expect, it } from 'vitest';
import {
  createLanguageThread,
  type LanguageThread,
} from '../../src/language-threads/language-thread.ts';
import { TaskStopped } from '../../src/language-threads/time-limit.ts';
import { embedderOf } from '../support/models/embedder-of.ts';
import { talk } from '../support/models/model-reasoner.ts';
import { vectorOf } from '../support/models/model-server.ts';
import { createSignal } from '../support/signal.ts';

const turns = talk(
  ['USER', 'The boiler in the cellar hums at night, and the landlord has no time before June.'],
  ['ASSISTANT', 'Bleed the radiators first, it takes ten minutes.'],
);

describe('while a task waits for vectors,', () => {
  const patient = { userId: 'maya', limit: { computing: 60_000, inAll: 600_000 } };
  const ask = (thread: LanguageThread) =>
    thread.run('readQuestion', 'What did we say last time?', patient);

  /** A thread whose embedder answers when it is told to. */
  function waitingThread() {
    const [asks, answer] = [createSignal(), createSignal()];
    let starts = 0;
    const thread = createLanguageThread({
      embedderOf: () => {
        starts += 1;
        return embedderOf(async (texts) => {
          asks.give();
          await answer.given;
          return texts.map((text) => Float32Array.from(vectorOf(text, 16)));
        });
      },
      niceness: 0,
      readsSamples: false,
      coldTime: 0,
    });
    return { thread, asks, answer, starts: () => starts };
  }

  it('its thread runs others, which do not count as its time', async () => {
    const { thread, asks, answer } = waitingThread();
    await using _ = thread;
    const brief = { ...patient, limit: { computing: 5_000, inAll: 600_000 } };
    const described = thread.run('describeSegment', { turns }, brief);
    await asks.given;
    expect(await ask(thread)).toMatchObject({ asksForEarlierTalk: true });
    answer.give();
    expect(await described).toHaveProperty('title');
  });

  it('another may be stopped with the thread: then it begins again', async () => {
    const { thread, asks, answer, starts } = waitingThread();
    await using _ = thread;
    const described = thread.run('describeSegment', { turns }, patient);
    await asks.given;
    const many = Array.from({ length: 50 }, () => turns).flat();
    const hasty = { userId: 'bo', limit: { computing: 60_000, inAll: 1 } };
    const stopped = thread.run('extractFacts', { turns: many }, hasty);
    await expect(stopped).rejects.toThrow(TaskStopped);
    answer.give();
    expect(await described).toHaveProperty('title');
    expect(starts()).toBeGreaterThan(1);
  });
});
