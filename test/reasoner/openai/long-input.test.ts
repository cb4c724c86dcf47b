import { expect, it } from 'vitest';
import { CALL, createModelReasoner, promptOf, talk } from '../../support/models/model-reasoner.ts';
import { chat } from '../../support/models/model-server.ts';

const fact = {
  action: 'NEW',
  factId: null,
  category: 'IDENTITY',
  key: null,
  value: 'x',
  statement: 'The user said it.',
  polarity: 'POSITIVE',
  scope: null,
  confidence: 1,
  importance: 0.9,
  isCorrection: false,
  turn: 0,
};

it('facts are extracted from all turns when they do not fit into one request', async () => {
  const long = talk(
    ...Array.from({ length: 12 }, (_, index): ['USER', string] => [
      'USER',
      `Fact ${index}. ${'word '.repeat(120)}`,
    ]),
  );
  await using stub = await createModelReasoner(
    ({ body }) => {
      const shown = [
        ...(body.messages?.[1]?.content ?? '').matchAll(
          /\[(\d+)\] USER[^:]*:\d\d UTC: Fact (\d+)/g,
        ),
      ];
      const from = Number(/Turns before (\d+)/.exec(body.messages?.[1]?.content ?? '')?.[1] ?? 0);
      return chat({
        facts: shown
          .filter(([, turn]) => Number(turn) >= from)
          .map(([, turn, number]) => ({ ...fact, value: `fact ${number}`, turn: Number(turn) })),
      });
    },
    { inputTokens: 900 },
  );
  const { facts } = await stub.reasoner.extractFacts({ turns: long }, CALL);
  expect(stub.server.requests.length).toBeGreaterThan(2);
  expect(facts.map(({ turn, value }) => [turn, value])).toEqual(
    long.map((_, index) => [index, `fact ${index}`]),
  );
});

it('episodes that do not fit into one request are summarized in parts, and the parts into one summary', async () => {
  const episodes = Array.from({ length: 30 }, (_, index) => ({
    title: `Episode ${index}`,
    summary: 'word '.repeat(60),
    endedAt: new Date(Date.UTC(2026, 2, 1 + index)),
  }));
  await using stub = await createModelReasoner(
    ({ body }) =>
      chat({
        summary: body.messages?.[1]?.content.includes('Summary of') ? 'All of it.' : 'A part.',
      }),
    { inputTokens: 700 },
  );
  expect(await stub.reasoner.summarizeEpisodes({ episodes }, CALL)).toEqual({
    summary: 'All of it.',
  });
  expect(stub.server.requests.length).toBeGreaterThan(4);
  const shown = stub.server.requests
    .map(({ body }) => body.messages?.[1]?.content ?? '')
    .join('\n');
  for (const { title } of episodes) expect(shown).toContain(`${title}:`);
});

it('a conversation that does not fit into one request is cut between turns, and the prompt says where', async () => {
  const long = talk(
    ...Array.from({ length: 40 }, (_, index): ['USER', string] => [
      'USER',
      `Number ${index} ${'word '.repeat(50)}.`,
    ]),
  );
  const description = { title: 't', summary: 's', topic: 'x', approach: '', outcomes: [] };
  await using stub = await createModelReasoner(() => chat(description), { inputTokens: 1_000 });
  await stub.reasoner.describeSegment({ turns: long }, CALL);
  const prompt = promptOf(stub.server);
  const shown = [...prompt.matchAll(/^\[(\d+)\] USER/gm)].map(([, index]) => Number(index));
  const [, from, to] = /\[turns (\d+) to (\d+) are left out here/.exec(prompt) ?? [];
  expect(shown).toEqual(
    long.map((_, index) => index).filter((index) => index < Number(from) || index > Number(to)),
  );
  expect(shown).toContain(0);
  expect(shown).toContain(39);
  for (const line of prompt.split('\n').filter((each) => /^\[\d+\] USER/.test(each)))
    expect(line).toMatch(/word \.$/);
});
