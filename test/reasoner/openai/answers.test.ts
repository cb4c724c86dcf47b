import { afterEach, expect, it, vi } from 'vitest';
import { InvalidReply } from '../../../src/domain/core/errors.ts';
import { CALL, createModelReasoner, promptOf, talk } from '../../support/models/model-reasoner.ts';
import { chat, type ModelReply } from '../../support/models/model-server.ts';

afterEach(() => vi.useRealTimers());

const question = { known: 'Luna is 3.', candidate: 'Luna turned 4.' };
const yes = { same: true, confidence: 0.9 };
const turns = talk(['USER', 'one'], ['USER', 'two']);

/** Answers in turn; the last one again and again. */
const inTurn =
  (...replies: ModelReply[]) =>
  (_: unknown, index: number) =>
    replies[Math.min(index, replies.length - 1)] as ModelReply;

it.each([
  ['broken JSON', '{"same": tru'],
  ['another shape', { same: 'perhaps', confidence: 2 }],
  ['nothing', ''],
])('a reply that is %s is requested once more', async (_what, broken) => {
  await using stub = await createModelReasoner(inTurn(chat(broken), chat(yes)));
  expect(await stub.reasoner.isSameFact(question, CALL)).toEqual(yes);
  expect(stub.server.requests).toHaveLength(2);
  expect(promptOf(stub.server)).toContain('Your reply cannot be used');
  expect(stub.usage).toHaveLength(2);
});

const part = (first: number) => ({
  first,
  confidence: 1,
  level: 'LOW',
  title: `Part ${first}`,
  summary: 'They talked.',
  topic: 'this',
  approach: '',
  outcomes: [],
});

it('a reply that breaks the rules of its step is requested once more', async () => {
  await using stub = await createModelReasoner(
    inTurn(chat({ segments: [part(0), part(7)] }), chat({ segments: [part(0), part(1)] })),
  );
  expect(await stub.reasoner.findBoundaries({ turns }, CALL)).toMatchObject({
    boundaries: [{ index: 1, confidence: 1 }],
    segments: [{ title: 'Part 0', surprise: 0.2 }, { title: 'Part 1' }],
  });
  expect(promptOf(stub.server)).toContain('there is no turn 7');
});

it('a second invalid reply is a typed error that names the problem and quotes no text', async () => {
  await using stub = await createModelReasoner(() => chat('Luna is a secret cat'));
  const error = await stub.reasoner.isSameFact(question, CALL).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(InvalidReply);
  expect(error).toMatchObject({ code: 'INVALID_REPLY', problems: ['it is not JSON'] });
  expect(String(error)).not.toContain('Luna');
  expect(stub.server.requests).toHaveLength(2);
});

it.each([
  ['cut off by its length', { kind: 'chat', content: '{"same":', finish: 'length' }],
  ['filtered', { kind: 'chat', content: '', finish: 'content_filter' }],
] as [string, ModelReply][])('a reply that was %s is not requested again', async (_what, reply) => {
  await using stub = await createModelReasoner(() => reply);
  await expect(stub.reasoner.isSameFact(question, CALL)).rejects.toBeInstanceOf(InvalidReply);
  expect(stub.server.requests).toHaveLength(1);
});

it.each([
  ['a title of a megabyte', { title: 'word '.repeat(200_000) }],
  ['a summary of two megabytes', { summary: 'word '.repeat(400_000) }],
])('%s is rejected, and the second request does not quote it', async (_what, excess) => {
  const described = { title: 't', summary: 's', topic: 'x', approach: '', outcomes: [] };
  await using stub = await createModelReasoner(
    inTurn(chat({ ...described, ...excess }), chat(described)),
  );
  expect(await stub.reasoner.describeSegment({ turns }, CALL)).toEqual(described);
  expect(promptOf(stub.server).length).toBeLessThan(20_000);
});

it('characters that a database cannot store are removed from a reply', async () => {
  const described = {
    title: 'a\u0000b\ud800c',
    summary: ' s\u0007\n',
    topic: 'x',
    approach: '',
    outcomes: [],
  };
  await using stub = await createModelReasoner(() => chat(described));
  expect(await stub.reasoner.describeSegment({ turns }, CALL)).toMatchObject({
    title: 'ab\ufffdc',
    summary: 's',
  });
});

it.each([-5, '12', 1.5, 1e30, null])(
  'a token count of %j is replaced by a positive and bounded one',
  async (tokens) => {
    const body = JSON.stringify({
      choices: [{ message: { content: JSON.stringify(yes) } }],
      usage: { prompt_tokens: tokens, completion_tokens: tokens },
    });
    const headers = { 'content-type': 'application/json' };
    await using stub = await createModelReasoner(() => ({
      kind: 'status',
      status: 200,
      headers,
      body,
    }));
    expect(await stub.reasoner.isSameFact(question, CALL)).toEqual(yes);
    const [{ promptTokens = -1, completionTokens = -1 } = {}] = stub.usage;
    for (const count of [promptTokens, completionTokens]) {
      expect(Number.isSafeInteger(count) && count > 0 && count <= 10_000_000).toBe(true);
    }
  },
);

it('a reply in several parts is joined, and an empty body is an invalid reply', async () => {
  const parts = JSON.stringify({
    choices: [
      {
        message: {
          content: [{ type: 'text', text: '{"same":true,' }, { text: '"confidence":1}' }],
        },
      },
    ],
  });
  await using stub = await createModelReasoner((_request, index) => ({
    kind: 'status',
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: index === 0 ? parts : 'null',
  }));
  expect(await stub.reasoner.isSameFact(question, CALL)).toEqual({ same: true, confidence: 1 });
  await expect(stub.reasoner.isSameFact(question, CALL)).rejects.toBeInstanceOf(InvalidReply);
});

it('JSON is read from a code fence that follows the reasoning of the model', async () => {
  await using stub = await createModelReasoner(() =>
    chat(`<think>Luna?</think>\n\`\`\`json\n${JSON.stringify(yes)}\n\`\`\``),
  );
  expect(await stub.reasoner.isSameFact(question, CALL)).toEqual(yes);
  expect(stub.server.requests).toHaveLength(1);
});
