import { expect, it } from 'vitest';
import { factsOf } from '../../support/facts.ts';
import { chat, type ModelRequest } from '../../support/models/model-server.ts';
import { answerTo, createModelWorld } from '../../support/models/model-world.ts';
import { say } from '../../support/samples/conversation.ts';

const stepOf = ({ body }: ModelRequest) => body.response_format?.json_schema?.name;
const promptOf = ({ body }: ModelRequest) =>
  (body.messages ?? []).map(({ content }) => content).join('\n');

/** A model's fact in the turn that holds these words, if the turn is shown. */
function factIn(prompt: string, words: string, own: object) {
  const turn = new RegExp(`^\\[(\\d+)\\] USER [^\\n]*${words}`, 'm').exec(prompt)?.[1];
  const fact = {
    action: 'NEW',
    factId: null,
    category: 'IDENTITY',
    key: 'profile:name',
    statement: 'The user has a name.',
    polarity: 'POSITIVE',
    scope: null,
    confidence: 1,
    importance: 0.9,
    isCorrection: false,
    ...own,
  };
  return turn === undefined ? [] : [{ ...fact, turn: Number(turn) }];
}

it('a model is asked about Alex, Al and Alexander for 5 user turns, or once the thread is over', async () => {
  await using own = await createModelWorld((asked) => {
    if (stepOf(asked) !== 'extract_facts') return answerTo(asked);
    const prompt = promptOf(asked);
    return chat({
      facts: [
        ...factIn(prompt, 'known as Alex', { value: 'Alex' }),
        ...factIn(prompt, 'Al will do', { value: 'Al', confidence: 0.6 }),
        ...factIn(prompt, 'in full I am', {
          value: 'Alexander',
          confidence: 0.95,
          isCorrection: true,
        }),
        ...factIn(prompt, 'the tap', {
          key: 'goal:tap',
          category: 'GOAL',
          value: 'a tap',
          confidence: 0.3,
        }),
      ],
    });
  });
  const { world, server } = own;
  const client = await world.user('alex');
  const asked = () => server.requests.filter((request) => stepOf(request) === 'extract_facts');
  const tell = async (minute: number, text: string, role: 'USER' | 'ASSISTANT' = 'USER') => {
    const occurredAt = new Date(Date.UTC(2026, 2, 2, 8, minute)).toISOString();
    await say(client, { channel: 'sms', turns: [{ text, role, occurredAt }] });
    await world.settle();
  };
  world.now = new Date('2026-03-02T08:20:00Z');
  const lines = ['I am known as Alex.', 'Al will do as well.', 'Nice weather.', 'So it is.'];
  for (const [minute, line] of lines.entries()) await tell(minute, line);
  expect(asked()).toEqual([]);
  await tell(5, 'I am known as Alex too, says the machine.', 'ASSISTANT');
  expect(asked()).toEqual([]);
  await tell(6, 'Do mend the tap.');
  expect(asked()).toHaveLength(1);
  const { facts, refusals } = await factsOf(client);
  expect(facts).toMatchObject([{ key: 'profile:name', value: 'Alex', origin: 'MODEL' }]);
  expect(refusals.map(({ value, reason }) => [value, reason]).sort()).toEqual([
    ['Al', 'less sure'],
    ['a tap', 'weak'],
  ]);

  await tell(7, 'Well, in full I am somebody else.');
  expect(asked()).toHaveLength(1);
  world.now = new Date('2026-03-02T12:00:00Z');
  await world.settle();
  expect(asked().length).toBeGreaterThan(1);
  expect(promptOf(asked()[1] as ModelRequest)).toContain('profile:name, POSITIVE');
  const [name] = (await factsOf(client)).facts;
  expect(name).toMatchObject({ value: 'Alexander', active: true });
  expect(name?.history.map(({ value, active }) => [value, active])).toEqual([
    ['Alex', false],
    ['Alexander', true],
  ]);
});
