import { expect, it } from 'vitest';
import { CLOSE } from '../../support/episodes.ts';
import { graphql } from '../../support/generated/gql.ts';
import { chat, type ModelRequest } from '../../support/models/model-server.ts';
import {
  answerTo,
  createModelWorld,
  DESCRIPTION,
  importTalks,
  stateOf,
} from '../../support/models/model-world.ts';
import { say } from '../../support/samples/conversation.ts';

const COST = { prompt: 100, completion: 20, cached: 40 };
const answer = (asked: ModelRequest) => answerTo(asked, COST);

const FORGET = graphql(`
  mutation ForgetSpender($input: ForgetInput!) {
    forget(input: $input) {
      __typename
    }
  }
`);

it('model usage is counted by day, step and model, including repairs', async () => {
  await using own = await createModelWorld(answer, {
    REASONER_STEPS: 'describe-segment=large@0.3',
  });
  const { world, server } = own;
  const client = await world.user('usage');
  let isFirst = true;
  server.answer = (asked) => {
    if (!isFirst || asked.body.response_format?.json_schema?.name !== 'describe_segment') {
      return answer(asked);
    }
    isFirst = false;
    return chat('no JSON', COST);
  };
  await importTalks(client, 2);
  await world.settle();
  const { usage } = await stateOf(client);
  const others = ['extract-facts', 'assess-relatedness'];
  expect(usage.filter(({ step }) => !others.includes(step))).toEqual([
    {
      day: '2026-03-02',
      step: 'compact',
      model: 'small',
      calls: 2,
      promptTokens: 200,
      cachedTokens: 80,
      completionTokens: 40,
    },
    {
      day: '2026-03-02',
      step: 'describe-segment',
      model: 'large',
      calls: 3,
      promptTokens: 300,
      cachedTokens: 120,
      completionTokens: 60,
    },
  ]);
  const described = server.requests.find(({ body }) => body.model === 'large');
  expect(described?.body).toMatchObject({ temperature: 0.3 });
  expect(
    (
      await stateOf(
        await world.user('somebody-else').then((other) => importTalks(other, 1).then(() => other)),
      )
    ).usage,
  ).toEqual([]);
  const metrics = await world.ctx.metrics.text();
  expect(metrics).toContain(
    'mnemograph_model_tokens_total{step="describe-segment",model="large",kind="cached"} 120',
  );
  expect(metrics).toContain(
    'mnemograph_model_call_seconds_count{step="describe-segment",model="large",outcome="ok"} 3',
  );
});

it('steps wait for the next day once the daily tokens are spent', async () => {
  await using own = await createModelWorld(answer, { MODEL_DAILY_TOKENS: '300' });
  const { world } = own;
  const client = await world.user('thrifty');
  await importTalks(client, 3);
  await world.settle();
  const spent = await stateOf(client);
  expect(spent.described).toBe(2);
  expect(spent.jobs).toMatchObject([
    {
      state: 'PARKED',
      attempts: 0,
      lastError: "The day's 300 tokens (MODEL_DAILY_TOKENS) are spent.",
      runAt: '2026-03-03T00:00:00.000Z',
    },
  ]);
  for (const day of [3, 4, 5]) {
    world.now = new Date(`2026-03-0${day}T00:00:01Z`);
    await world.settle();
  }
  expect((await stateOf(client)).described).toBe(3);
});

it('forgetting does not reset the tokens used that day', async () => {
  await using own = await createModelWorld(answer, { MODEL_DAILY_TOKENS: '200' });
  const { world } = own;
  const spender = await world.user('spender');
  await importTalks(spender, 2);
  await world.settle();
  await spender.execute(FORGET, { input: { everythingOf: 'spender' } });
  const next = await world.user('next');
  await importTalks(next, 1);
  await world.settle();
  expect(await stateOf(next)).toMatchObject({ described: 0, jobs: [{ state: 'PARKED' }] });
  expect((await stateOf(spender)).usage).toEqual([]);
});

it('a thread that is over costs one request for its parts, one for its summaries and one for its facts', async () => {
  await using own = await createModelWorld((asked) => {
    if (asked.body.response_format?.json_schema?.name !== 'find_boundaries') return answer(asked);
    const part = (first: number, title: string, level = 'LOW') => ({
      ...DESCRIPTION,
      first,
      confidence: 0.9,
      level,
      title,
    });
    return chat({ segments: [part(0, 'The roof'), part(6, 'The cello', 'EXTREME')] }, COST);
  });
  const { world, server } = own;
  const client = await world.user('one-request');
  const [told] = await say(client, {
    channel: 'sms',
    turns: Array.from({ length: 24 }, (_, turn) => ({
      text: `What was said number ${turn}`,
      role: turn % 2 ? ('ASSISTANT' as const) : ('USER' as const),
      occurredAt: new Date(Date.UTC(2025, 0, 1, 10, turn)).toISOString(),
    })),
  });
  // Else its end and its first segments would be due at the same time.
  await client.execute(CLOSE, { threadId: told?.thread.id ?? '' });
  world.now = new Date(world.now.getTime() + 60_000);
  await world.settle();
  const { segments, episodes } = await stateOf(client);
  expect(segments.map((segment) => [segment.title, segment.generatedBy, segment.model])).toEqual([
    ['The roof', 'MODEL', 'small'],
    ['The cello', 'MODEL', 'small'],
  ]);
  expect(episodes).toMatchObject([{ title: DESCRIPTION.title, generatedBy: 'MODEL' }]);
  const asked = server.requests.map(({ body }) => body.response_format?.json_schema?.name);
  expect(asked.sort()).toEqual(['compact', 'extract_facts', 'find_boundaries']);
});
