import { expect, it } from 'vitest';
import type { ModelRequest } from '../../support/models/model-server.ts';
import { answerTo, createModelWorld } from '../../support/models/model-world.ts';
import { say } from '../../support/samples/conversation.ts';

const stepOf = ({ body }: ModelRequest) => body.response_format?.json_schema?.name ?? '';

it('a model gets times in the person’s time zone, and is told to resolve dates', async () => {
  await using own = await createModelWorld((asked) => answerTo(asked));
  const { world, server } = own;
  const client = await world.user('far');
  await client.post({
    query: 'mutation { configureUser(timeZone: "America/Toronto") { __typename } }',
  });
  const texts = ['I sign for the house tomorrow.', 'Good luck!', 'On Thursday I get the keys.'];
  const turns = texts.map((text, at) => ({
    ...{ text, role: at % 2 ? ('ASSISTANT' as const) : ('USER' as const) },
    occurredAt: `2026-03-02T02:3${at}:00Z`,
  }));
  await say(client, { channel: 'sms', turns });
  await world.settle();
  own.pass(4 * 3_600);
  await world.settle();
  for (const step of ['find_boundaries', 'extract_facts']) {
    const asked = server.requests.filter((request) => stepOf(request) === step);
    expect(asked.length).toBeGreaterThan(0);
    for (const { body } of asked) {
      expect(body.messages?.[0]?.content).toContain('Write dates out');
      expect(body.messages?.at(-1)?.content).toContain(
        'Sun 2026-03-01 21:30: I sign for the house tomorrow.',
      );
    }
  }
});
