import { expect, it } from 'vitest';
import { FLAT, linksOf, PARROT, tellThreads } from '../../support/links.ts';
import { chat, type ModelRequest } from '../../support/models/model-server.ts';
import { answerTo, createModelWorld } from '../../support/models/model-world.ts';

const stepOf = ({ body }: ModelRequest) => body.response_format?.json_schema?.name;
const promptOf = ({ body }: ModelRequest) => body.messages?.at(-1)?.content ?? '';

const SAYS = {
  related: true,
  confidence: 0.95,
  reasoning: 'Both are about the flat in Cedofeita.',
  keySignals: ['the flat'],
};

it('a model gets the earlier thread’s summary, which is written first, its turns and the message; its reasons are stored', async () => {
  await using own = await createModelWorld((asked) =>
    stepOf(asked) === 'assess_relatedness' ? chat({ assessments: [SAYS] }) : answerTo(asked),
  );
  const { world, server } = own;
  const client = await world.user('asked');
  await tellThreads(world, client, [FLAT[0], FLAT[1]]);
  const steps = server.requests.map(stepOf);
  const asked = server.requests.filter((request) => stepOf(request) === 'assess_relatedness');
  expect(asked).toHaveLength(1);
  expect(steps).toContain('find_boundaries');
  expect(steps.indexOf('find_boundaries')).toBeLessThan(steps.indexOf('assess_relatedness'));
  const prompt = promptOf(asked[0] as ModelRequest);
  expect(prompt).toContain('Summary: They talked.');
  for (const text of [...FLAT[0], ...FLAT[1]]) expect(prompt).toContain(text);
  const { links, episodes } = await linksOf(client);
  expect(links).toMatchObject([
    {
      verdict: 'LINK',
      certainty: 'HIGH',
      generatedBy: 'MODEL',
      reasonerConfidence: 0.95,
      reasoning: SAYS.reasoning,
      keySignals: ['the flat'],
    },
  ]);
  expect(episodes).toMatchObject([{ summary: 'The user talks a lot.' }]);
});

it('if the two assessments differ, the decision is UNCERTAIN and follows the more confident one', async () => {
  let says: object = SAYS;
  await using own = await createModelWorld((asked) =>
    stepOf(asked) === 'assess_relatedness' ? chat({ assessments: [says] }) : answerTo(asked),
  );
  const { world } = own;
  const sure = await world.user('sure');
  await tellThreads(world, sure, [FLAT[0], PARROT]);
  says = { ...SAYS, confidence: 0.55 };
  const unsure = await world.user('unsure');
  await tellThreads(world, unsure, [FLAT[0], PARROT]);
  const [linked, kept] = [(await linksOf(sure)).links, (await linksOf(unsure)).links];
  const common = { certainty: 'UNCERTAIN', agreement: false, algorithmicRelated: false };
  expect(linked).toMatchObject([{ ...common, reasonerRelated: true, verdict: 'LINK' }]);
  expect(kept).toMatchObject([{ ...common, reasonerRelated: true, verdict: 'DONT_LINK' }]);
  const { events } = await linksOf(sure);
  expect(events.find(({ kind }) => kind === 'LINK_DECIDED')?.decision).toMatch(
    /^link\.uncertain LINK \(/,
  );
});

/** A thread is told beside an earlier one, first its first turn alone, then the others; how often the model was asked. */
async function askedTurnByTurn(says: object, [first, ...others]: readonly string[]) {
  await using own = await createModelWorld((asked) =>
    stepOf(asked) === 'assess_relatedness' ? chat({ assessments: [says] }) : answerTo(asked),
  );
  const { world, server } = own;
  const client = await world.user('growing');
  await tellThreads(world, client, [FLAT[0]]);
  const say = (texts: readonly string[], from: string) =>
    tellThreads(world, client, [texts], { from });
  await say([first ?? ''], '2026-03-02T09:00:00Z');
  const before = (await linksOf(client)).links;
  await say(others, '2026-03-02T09:01:00Z');
  own.pass(4 * 3_600);
  await world.settle();
  const asked = server.requests.filter((request) => stepOf(request) === 'assess_relatedness');
  // Its token has run out meanwhile.
  const { links } = await linksOf(await world.user('growing'));
  return { before, links, prompts: asked.map(promptOf) };
}

const APART = { ...SAYS, related: false, reasoning: 'A parrot is no flat.' };

it('a model is not asked again about a grown thread if it was sure and the algorithm still agrees', async () => {
  const { before, links, prompts } = await askedTurnByTurn(APART, PARROT);
  expect(prompts).toHaveLength(1);
  expect(before).toMatchObject([{ turns: 1, verdict: 'DONT_LINK', certainty: 'HIGH' }]);
  const { reasoning, decidedAt } = before[0] ?? {};
  expect(links).toMatchObject([{ turns: 1, reasoning, decidedAt }]);
});

it.each([
  ['the model was not sure', { ...APART, confidence: 0.6 }, PARROT],
  ['the algorithm differs by then', APART, ['Good morning to you all.', ...FLAT[1], ...FLAT[0]]],
])('a model is asked again about a grown thread if %s', async (_why, says, texts) => {
  const { prompts } = await askedTurnByTurn(says, texts);
  expect(prompts).toHaveLength(2);
  for (const text of texts) expect(prompts[1]).toContain(text);
});

it('signals that tuning found missed go into the next prompt of the model', async () => {
  await using own = await createModelWorld((asked) => answerTo(asked));
  const { world, server } = own;
  await world.ctx.db.pool.query(
    `INSERT INTO linking_settings VALUES ('', 0.7, '{"keyword":0.3,"entity":0.3,"topic":0.2,"recency":0.2}', '{entity}', now())`,
  );
  const client = await world.user('hinted');
  await tellThreads(world, client, [FLAT[0], FLAT[1]]);
  const asked = server.requests.filter((request) => stepOf(request) === 'assess_relatedness');
  expect(asked.map(promptOf)).toEqual([expect.stringContaining('Look also at: entity.')]);
});
