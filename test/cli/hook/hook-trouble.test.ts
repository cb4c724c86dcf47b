import { appendFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { line, PATIENT, useSession } from '../../support/hook.ts';
import { keyFor } from '../../support/keys.ts';
import { listenSilently } from '../../support/network/silent.ts';

const session = useSession();

it('of a huge transcript every run of the hook stores a part within its time, until all of it is stored once', async () => {
  const { hook, event, transcript, memory } = session();
  const picture = line('user', [{ type: 'image', source: { data: 'A'.repeat(9_000_000) } }]);
  const talk = Array.from({ length: 1_500 }, (_, index) =>
    line(index % 2 ? 'assistant' : 'user', `Remark ${index} of a long day.`),
  );
  await writeFile(transcript, picture.repeat(3) + talk.join(''));
  const count = async () => {
    type Answer = { viewer: { turnCount: number } | null };
    const { viewer } = await memory.request<Answer>('{ viewer { turnCount } }');
    // A run may end before it has stored anything.
    return viewer?.turnCount ?? 0;
  };
  const counts: number[] = [];
  let problems = '';
  for (let run = 0; run < 60 && counts.at(-1) !== 1_500; run += 1) {
    const ran = await hook(event('Stop'), { args: ['--timeout', '1500'] });
    expect(ran).toMatchObject({ code: 0, out: '' });
    problems += ran.problems;
    counts.push(await count());
  }
  expect(counts.at(-1)).toBe(1_500);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  for (const told of problems.split('\n').slice(0, -1)) {
    expect(told).toBe(
      'mnemograph hook: It did not finish within 1500 ms. The agent goes on without it.',
    );
  }
}, 240_000);

it('a thread that was forgotten meanwhile is followed by a new one', async () => {
  const { hook, event, turns, transcript, memory } = session();
  await writeFile(transcript, line('user', 'My password is swordfish.'));
  await hook(event('Stop'));
  const [first] = await turns();
  await memory.forget({ threadId: first?.thread.id as string });
  await appendFile(transcript, line('user', 'The shop opens at nine.'));
  expect(await hook(event('UserPromptSubmit', { prompt: 'When?' }))).toMatchObject({
    problems: '',
  });
  expect(await hook(event('Stop'))).toMatchObject({ problems: '' });
  const stored = await turns();
  expect(stored.map(({ text }) => text)).toEqual(['The shop opens at nine.']);
  expect(stored[0]?.thread.id).not.toBe(first?.thread.id);
}, 120_000);

it('whatever goes wrong, the hook ends in time with code 0 and one line that says what', async () => {
  const { hook, event, turns, transcript, folder } = session();
  await writeFile(transcript, line('user', 'Hello.'));
  const prompt = event('UserPromptSubmit', { prompt: 'Hello?' });
  const away = { MNEMOGRAPH_URL: 'http://127.0.0.1:9' };
  using silent = await listenSilently();
  const ran = await Promise.all([
    hook('{"session_id": "x", '),
    hook('[1]'),
    hook(prompt, { env: away }),
    hook(event('Stop'), { env: away }),
    hook(prompt, { env: { MNEMOGRAPH_API_KEY: 'wrong' } }),
    hook(event('Stop', { transcript_path: join(folder, 'missing.jsonl') })),
    hook(prompt, { env: { MNEMOGRAPH_URL: silent.origin }, args: ['--timeout', '1000'] }),
    hook(null, { args: ['--timeout', '1000'] }),
  ]);
  for (const { code, out } of ran) expect([code, out]).toEqual([0, '']);
  const reasons = [
    /is not JSON\./,
    /is not a JSON object\./,
    /cannot be reached/,
    /cannot be reached/,
    /API key|credentials|token/i,
    /ENOENT/,
    /not finish within 1000 ms/,
    /not finish within 1000 ms/,
  ];
  ran.forEach(({ problems }, index) => {
    expect(problems).toMatch(reasons[index] as RegExp);
    expect(problems).toMatch(/^mnemograph hook: .* The agent goes on without it\.\n$/);
  });
  // What could not be stored is stored when the memory is back.
  await hook(event('Stop'));
  expect(await turns()).toHaveLength(1);
}, 120_000);

it('a wrong option is said in one line, with a code at which the agent goes on', async () => {
  const { hook, event } = session();
  const ran = await hook(event('Stop'), { args: ['--timeout', 'abc'] });
  expect(ran).toMatchObject({ code: 1, out: '' });
  expect(ran.problems).toMatch(/^error: option '--timeout <ms>' argument 'abc' is invalid\. .*\n$/);
});

it('with a key that may only read the hook gives context, and says that it may not remember', async () => {
  const { hook, event, turns, transcript, memory, server, user } = session();
  await memory.remember('The password manager is called Vault.', { channel: 'agent' });
  await server.world.settle();
  const env = { MNEMOGRAPH_API_KEY: (await keyFor(server, user, 'READ')).secret };
  const asked = await hook(event('UserPromptSubmit', { prompt: 'Which manager?' }), { env });
  expect(asked.problems).toBe('');
  expect(asked.out).toContain('Vault');
  await writeFile(transcript, line('user', 'Use another one.'));
  const told = await hook(event('Stop'), { env });
  expect(told).toMatchObject({ code: 0, out: '' });
  expect(told.problems).toMatch(/^mnemograph hook: .*READ.*\n$/);
  expect(await turns()).toHaveLength(1);
}, 60_000);

it('with an application key the hook acts for the user of --user', async () => {
  const { hook, event, turns, transcript, folder, server, user } = session();
  const { secret } = await keyFor(server, null, 'ALL');
  await writeFile(transcript, line('user', 'Said by an application.'));
  const env = { MNEMOGRAPH_API_KEY: secret };
  await hook(event('Stop'), { args: [...PATIENT, '--user', user], env });
  expect(await turns()).toHaveLength(1);
  expect((await readdir(join(folder, 'state'))).every((name) => name.endsWith('.json'))).toBe(true);
}, 60_000);
