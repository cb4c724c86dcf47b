import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { tool } from '../support/command.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, tool('eval/eval-chats', ...args));

describe('eval:chats', () => {
  it('eval:chats replays labelled conversations to its own server and scores the result', {
    timeout: 90_000,
  }, async () => {
    const { stdout } = await run(path('chats-fixture.json'), '--show');
    const result = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
    expect(result).toMatchObject({
      questions: 2,
      answerableContext600: 0.5,
      answerableFirst5: 0.5,
      plainContext600: 0.5,
      byKind: { decision: { answerableContext: 1 }, skill: { answerableContext: 0 } },
      byFile: { 'chats-fixture.json': { factRecall: 0.5 } },
      factRecall: 0.5,
      factsWrong: 0,
      linksUnlabelled: 0,
      data: 'chats-fixture.json',
      reasoner: 'extractive/1',
      database: 'embedded',
    });
    const figures = ['factPrecision', 'cutsF1', 'keep', 'gist', 'episodes', 'extra', 'linkF1'];
    for (const name of [...figures, 'linkPrecision', 'msPerTurnTold', 'settleSeconds'])
      expect(result[name], name).toEqual(expect.any(Number));
    expect(stdout).toContain('question (skill): How is wax rendered?');
    expect(stdout).toContain('missed       Knows how to render wax  /wax/');
  });

  it('an invalid file is reported with its name and field', { timeout: 60_000 }, async () => {
    await expect(run(path('locomo-fixture.json'))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/locomo-fixture\.json is no labelled chat:\n {2}.+: /),
    });
  });
});
