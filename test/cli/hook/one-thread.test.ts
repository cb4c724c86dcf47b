import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Memory, RememberTurns } from '@mnemograph/client';
import { expect, it } from 'vitest';
import { readEvent } from '../../../src/cli/hook/event.ts';
import { progressIn } from '../../../src/cli/hook/progress.ts';
import { rememberSession } from '../../../src/cli/hook/remember-session.ts';
import { line, useSession, words } from '../../support/hook.ts';

const session = useSession();

/** Runs the hook's work in this process. */
function remember(memory: Pick<Memory, 'remember'>, note: string) {
  const { event, folder } = session();
  return rememberSession(readEvent(JSON.stringify(event('Stop')), undefined), {
    memory,
    channel: 'agent',
    progress: progressIn(join(folder, 'state'), note),
    signal: AbortSignal.timeout(25_000),
  });
}

it('a session stays one thread when the answer to its first turns is lost, and with it the note of the thread', async () => {
  const { turns, transcript, memory } = session();
  await writeFile(transcript, line('user', 'I use tabs.') + line('assistant', words('Noted.')));
  const lost = {
    remember: async (sent: string | RememberTurns) => {
      await memory.remember(sent as RememberTurns);
      throw new Error('The time is up');
    },
  };
  await expect(remember(lost, 'lost')).rejects.toThrow('The time is up');
  await appendFile(transcript, line('user', 'And no semicolons.'));
  await remember(memory, 'lost');
  const stored = await turns();
  expect(stored.map(({ text }) => text)).toEqual(['I use tabs.', 'Noted.', 'And no semicolons.']);
  expect(new Set(stored.map(({ thread }) => thread.id)).size).toBe(1);
});

it('a session stays one thread when two hooks begin it at once, and one of them has read more', async () => {
  const { turns, transcript, memory } = session();
  await writeFile(transcript, line('user', 'I use tabs.'));
  const slow = {
    remember: async (sent: string | RememberTurns) => {
      const stored = await memory.remember(sent as RememberTurns);
      await appendFile(transcript, line('user', 'And no semicolons.'));
      await remember(memory, 'other');
      return stored;
    },
  };
  await remember(slow, 'slow');
  const stored = await turns();
  expect(stored).toHaveLength(2);
  expect(new Set(stored.map(({ thread }) => thread.id)).size).toBe(1);
});
