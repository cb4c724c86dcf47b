import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Memory, MemoryError, type RememberTurns } from '@mnemograph/client';
import { expect, it } from 'vitest';
import { readEvent } from '../../../src/cli/hook/event.ts';
import { progressIn } from '../../../src/cli/hook/progress.ts';
import { rememberSession } from '../../../src/cli/hook/remember-session.ts';
import { line, PATIENT, useSession, words } from '../../support/hook.ts';

const session = useSession();

type Remember = (given: string | RememberTurns) => ReturnType<Memory['remember']>;

/** Remembers the session at its stop, by a memory that `remember` stands for. @param note the name of its note */
function stopWith(note: string, remember: Remember) {
  const { event, folder } = session();
  return rememberSession(readEvent(JSON.stringify(event('Stop')), undefined), {
    memory: { remember },
    channel: 'agent',
    progress: progressIn(join(folder, 'state'), note),
    signal: AbortSignal.timeout(25_000),
  });
}

it('what is said under a channel that the server refuses is stored once the option is corrected', async () => {
  const { hook, event, turns, transcript } = session();
  await writeFile(transcript, line('user', 'I use tabs.') + line('assistant', words('Noted.')));
  const told = await hook(event('Stop'), { args: [...PATIENT, '--channel', 'Claude Code'] });
  expect(told).toMatchObject({ code: 0, out: '' });
  expect(told.problems).toMatch(/^mnemograph hook: input\.channel: must be .*\n$/);
  expect(await hook(event('Stop'))).toMatchObject({ problems: '' });
  expect((await turns()).map(({ text }) => text)).toEqual(['I use tabs.', 'Noted.']);
}, 60_000);

it('a turn from a clock that is ahead is stored at the time of the server, and once, and the turns beside it as they were said', async () => {
  const { hook, event, turns, transcript, folder } = session();
  const ahead = { timestamp: new Date().toISOString() };
  await writeFile(
    transcript,
    line('user', 'I use tabs.') +
      line('assistant', words('Noted.'), ahead) +
      line('user', 'And no semicolons.'),
  );
  expect(await hook(event('Stop'))).toEqual({ code: 0, out: '', problems: '' });
  const stored = [
    ['I use tabs.', '2026-03-01T09:00:00.000Z'],
    ['And no semicolons.', '2026-03-01T09:00:00.000Z'],
    ['Noted.', '2026-03-02T09:00:00.000Z'],
  ];
  const found = async () => (await turns()).map(({ text, occurredAt }) => [text, occurredAt]);
  expect(await found()).toEqual(stored);
  const { server } = session();
  // The server's clock has caught up, and the note is lost: now the turn comes with its own time.
  server.world.now = new Date(Date.now() + 60_000);
  const elsewhere = { MNEMOGRAPH_HOOK_STATE: `${folder}/lost` };
  expect(await hook(event('Stop'), { env: elsewhere })).toMatchObject({ problems: '' });
  expect(await found()).toEqual(stored);
}, 60_000);

it('only a turn that is refused for itself is left out, and the hook says why', async () => {
  const { turns, transcript, memory } = session();
  const said = ['One.', 'Two.', 'Three.', 'Four.'];
  await writeFile(transcript, said.map((text) => line('user', text)).join(''));
  const remember = async (sent: string | RememberTurns) => {
    const { turns: given = [] } = sent as RememberTurns;
    const at = given.findIndex(({ text }) => text === 'Three.');
    if (at < 0) return memory.remember(sent as RememberTurns);
    const path = `input.turns.${at}.text`;
    throw new MemoryError('INVALID_INPUT', `${path}: no`, { issues: [{ path, message: 'no' }] });
  };
  const refused = await stopWith('left-out', remember);
  expect(refused).toBe('input.turns.1.text: no');
  expect((await turns()).map(({ text }) => text)).toEqual(['One.', 'Two.', 'Four.']);
});

it('messages larger than a request may be are stored, and so is what was said before and after them', async () => {
  const { hook, event, turns, transcript } = session();
  await writeFile(
    transcript,
    line('user', 'Before.') +
      line('user', 'log '.repeat(1_050_000)) +
      line('user', '\u65e5'.repeat(1_400_000)) +
      line('user', 'After.'),
  );
  expect(await hook(event('Stop'))).toEqual({ code: 0, out: '', problems: '' });
  const stored = await turns();
  expect(stored.map(({ text }) => text).join('').length).toBe(7 + 4_200_000 + 1_400_000 + 6);
  expect([stored[0]?.text, stored.at(-1)?.text]).toEqual(['Before.', 'After.']);
}, 60_000);

it('turns that are too large together for a proxy are sent apart, and only one that is too large alone is left out', async () => {
  const { turns, transcript, memory } = session();
  const said = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(letter === 'c' ? 900 : 300));
  await writeFile(transcript, said.map((text) => line('user', text)).join(''));
  const remember = async (sent: string | RememberTurns) => {
    const { turns: given } = sent as RememberTurns;
    if (given.reduce((sum, { text }) => sum + text.length, 0) <= 700) {
      return memory.remember(sent as RememberTurns);
    }
    throw new MemoryError('BAD_ANSWER', 'The answer was 413.', { status: 413 });
  };
  const refused = await stopWith('too-large', remember);
  expect(refused).toBe('The answer was 413.');
  expect((await turns()).map(({ text }) => text[0])).toEqual(['a', 'b', 'd', 'e']);
});

it('a run that ends within a long message is continued there', async () => {
  const { turns, transcript, memory } = session();
  await writeFile(transcript, line('user', 'log '.repeat(500_000)) + line('user', 'After.'));
  const sent: number[] = [];
  const run = (most: number) => {
    const remember = async (given: string | RememberTurns) => {
      if (sent.length === most) throw new Error('The time is up');
      sent.push((given as RememberTurns).turns.length);
      return memory.remember(given as RememberTurns);
    };
    return stopWith('long', remember);
  };
  await expect(run(3)).rejects.toThrow('The time is up');
  await run(100);
  expect(sent.reduce((sum, count) => sum + count, 0)).toBe(21);
  expect(await turns()).toHaveLength(21);
});
