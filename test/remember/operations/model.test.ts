import { expect, it } from 'vitest';
import { chat, type ModelRequest, refuse, vectorOf } from '../../support/models/model-server.ts';
import {
  answerTo,
  createModelWorld,
  DESCRIPTION,
  importTalks,
  SECRET,
  stateOf,
} from '../../support/models/model-world.ts';
import { reviewsOf, showAndTalk, teller } from '../../support/reviews.ts';

const answer = (asked: ModelRequest) => answerTo(asked);

it('an outage of 60 s during an import loses nothing, costs no attempt, and the import finishes by itself', {
  timeout: 60_000,
}, async () => {
  await using own = await createModelWorld(answer, {
    EMBEDDER: 'openai',
    EMBEDDING_MODEL: 'vectors',
  });
  const { world, server, pass } = own;
  const client = await world.user('outage');
  let described = 0;
  let isAway = () => described >= 4;
  server.answer = (asked) => {
    const { path, body } = asked;
    if (isAway()) return refuse(503);
    if (path.endsWith('/embeddings')) {
      return { kind: 'vectors', vectors: (body.input ?? []).map((text) => vectorOf(text, 8)) };
    }
    if (body.response_format?.json_schema?.name === 'find_boundaries') described += 1;
    return answerTo(asked);
  };
  await importTalks(client, 8);
  await world.settle();
  // The outage is there; the import goes on.
  await importTalks(client, 4, 20);
  const asked = server.requests.length;
  for (let second = 0; second < 60; second += 5) {
    await world.settle();
    const { jobs, episodes } = await stateOf(client);
    expect(episodes.filter((episode) => episode?.title).length).toBeLessThan(8);
    expect(jobs.map(({ step }) => step)).toContain('segment-thread');
    expect(jobs.map(({ step }) => step)).toContain('embed-turns');
    for (const { state, attempts, lastError } of jobs) {
      expect([state, attempts, lastError]).toEqual([
        'PARKED',
        0,
        expect.stringContaining('not available'),
      ]);
    }
    pass(5.1);
  }
  // A few requests every pause, no storm.
  expect(server.requests.length - asked).toBeLessThanOrEqual(2 * 12 * 4);

  isAway = () => false;
  pass(20);
  await world.settle();
  const { jobs, episodes, turnCount, described: events } = await stateOf(client);
  expect(jobs).toEqual([]);
  expect(turnCount).toBe(24);
  expect(episodes).toEqual(
    Array(12).fill({ title: DESCRIPTION.title, generatedBy: 'MODEL', model: 'small' }),
  );
  expect(events).toBe(12);
  const { rows } = await world.ctx.db.pool.query(
    'SELECT count(*)::int AS vectors FROM turn_vectors',
  );
  expect(rows).toEqual([{ vectors: 24 }]);
});

it('invalid replies of a model cost attempts; the last attempt uses the built-in rules, and is marked so', async () => {
  await using own = await createModelWorld(answer);
  const { world, server, pass } = own;
  const client = await world.user('nonsense');
  server.answer = () => chat('What was said number 0, says the model');
  await importTalks(client, 1);
  // The rules cut the thread in the end, but do not describe what they cut.
  for (const step of ['segment-thread', 'capture-segments']) {
    for (let attempts = 1; attempts <= 4; attempts += 1) {
      await world.settle();
      const { jobs } = await stateOf(client);
      const lastError = expect.stringContaining('not JSON');
      expect(jobs).toMatchObject([{ step, state: 'RETRYING', attempts, lastError }]);
      expect(jobs[0]?.lastError).not.toContain('What was said');
      pass(200);
    }
  }
  server.answer = answer;
  await world.settle();
  const { jobs, segments, episodes } = await stateOf(client);
  expect(jobs).toEqual([]);
  expect(segments).toMatchObject([{ generatedBy: 'EXTRACTIVE', model: 'extractive/1' }]);
  expect(episodes).toMatchObject([{ generatedBy: 'MODEL', model: 'small' }]);
});

it('only the model gets the key and the words: no log, row or answer contains the key, no log the words', async () => {
  await using own = await createModelWorld(answer);
  const { world, server, logged, pass } = own;
  const client = await world.user('secrets');
  const echo = ({ headers, body }: ModelRequest) =>
    `${headers.authorization} ${body.messages?.at(-1)?.content}`;
  const faults = [
    (asked: ModelRequest) => refuse(401, { message: echo(asked), code: SECRET }),
    (asked: ModelRequest) => refuse(429, { message: echo(asked) }, { 'retry-after': '100' }),
    (asked: ModelRequest) => refuse(400, { message: echo(asked), type: echo(asked) }),
    (asked: ModelRequest) => chat(echo(asked)),
    answer,
  ];
  await importTalks(client, 1);
  for (const fault of faults) {
    server.answer = fault;
    await world.settle();
    pass(200);
  }
  await world.settle();
  const { jobs, described } = await stateOf(client);
  expect([jobs, described]).toEqual([[], 1]);
  expect(server.requests.length).toBeGreaterThan(5);
  expect(logged.join('\n')).toContain('job.parked');
  expect(logged.join('\n')).not.toMatch(/sk-a-secret|What was said/);
  const { rows } = await world.ctx.db.pool.query(
    `SELECT string_agg(query_to_xml('SELECT * FROM ' || quote_ident(tablename), true, false, '')::text, '') AS dump
     FROM pg_tables WHERE schemaname = current_schema()`,
  );
  expect(rows[0].dump).toContain('What was said number 0');
  expect(rows[0].dump).not.toContain('sk-a-secret');
});

it('impressions are rated by the model in one request, and marked so; while it is unavailable they wait', async () => {
  await using own = await createModelWorld(answer);
  const { world, server, pass } = own;
  const { client, shown } = await teller(world, 'rated');
  const at = '2026-03-10T14:00:00Z';
  const { close } = await showAndTalk(world, client, shown.slice(0, 2), { at });
  await close();
  const isRating = ({ body }: ModelRequest) =>
    body.response_format?.json_schema?.name === 'rate_retrieved';
  server.answer = (asked) => (isRating(asked) ? refuse(401) : answer(asked));
  await world.settle();
  server.answer = answer;
  server.requests.length = 0;
  pass(3_600);
  await world.settle();
  expect(server.requests.filter(isRating)).toHaveLength(1);
  // The first token has expired meanwhile.
  const { episodes, decisions } = await reviewsOf(await world.user('rated'));
  expect(episodes.slice(0, 2).map(({ reviews }) => reviews)).toMatchObject([
    [{ rating: 'GOOD', generatedBy: 'MODEL', model: 'small' }],
    [{ rating: 'AGAIN', generatedBy: 'MODEL', model: 'small' }],
  ]);
  expect(decisions.map(({ decision }) => decision)).toEqual([
    expect.stringContaining('GOOD by small'),
    expect.stringContaining('AGAIN by small'),
  ]);
});
