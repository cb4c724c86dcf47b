import { createApiKey } from '../../../src/auth/api-keys.ts';
import { say } from '../samples/conversation.ts';
import { asUser, createTestServer, type TestServer } from '../server.ts';

/** A user whose memory contains words that no other user's memory contains. */
export type Person = { words: readonly string[]; ids: readonly string[] };

export type FuzzErrors = { message: string; extensions?: { code?: string } }[];

export type FuzzWorld = AsyncDisposable & {
  server: TestServer;
  ann: Person;
  bob: Person;
  headersOf(who: 'ann' | 'bob' | 'key'): Record<string, string>;
  /** Stores the stories of both users again, since operations may have forgotten them. Runs all background work. */
  renew(): Promise<void>;
  /** Returns the first result of a subscription if there is one at once. */
  firstOf(
    body: object,
    headers: Record<string, string>,
  ): Promise<{ status: number; text: string; errors: FuzzErrors }>;
  /** Returns the steps whose jobs are DEAD. */
  deadSteps(): Promise<object[]>;
};

const WORDS = {
  ann: ['wombatina', 'lavendrix', 'quixotia', 'pumpernelle'],
  bob: ['zephyrolo', 'brontesky', 'marzipanda', 'galoshkin'],
};

const story = ([name = '', place = '', thing = '', friend = '']: readonly string[]) => [
  [
    `My name is ${name} and I live in ${place}.`,
    `I love ${thing}, and my sister is called ${friend}.`,
    `The ${thing} in ${place} needs new tyres before winter.`,
    `Remind me to call ${friend} about the ${thing}.`,
  ],
  [
    `We decided to paint the barn in ${place} green.`,
    `${friend} brings the ${thing} on Saturday.`,
    `No, actually I live in New ${place} now.`,
    `I never eat ${thing} after six.`,
  ],
];

const IDS = `{ viewer {
  id
  threads(first: 20) { edges { node { id } } } turns(first: 20) { edges { node { id } } }
  episodes(first: 20) { edges { node { id } } } facts(first: 20) { edges { node { id } } }
} }`;
/** Makes the channel implicit again, in case an operation has made it explicit. */
const AS_USUAL = 'mutation { configureChannel(name: "sms", kind: IMPLICIT) { __typename } }';
const DAY = 86_400_000;

/** Creates a server with two users whose stories are stored and processed. */
export async function createFuzzWorld(): Promise<FuzzWorld> {
  const server = await createTestServer({
    EPISODIC_CAPTURE: 'everything',
    RATE_LIMIT_USER: '0',
    RATE_LIMIT_KEY: '0',
    RATE_LIMIT_FAILED_AUTH: '0',
  });
  const { world } = server;
  const headers = {
    ann: await asUser('ann'),
    bob: await asUser('bob'),
    key: { authorization: `Bearer ${(await createApiKey(world.ctx, 'fuzz')).secret}` },
  };

  const storeStory = async (who: 'ann' | 'bob') => {
    await server.post({ query: AS_USUAL }, headers[who]);
    const client = await world.user(who);
    for (const [place, texts] of story(WORDS[who]).entries()) {
      const start = world.now.getTime() - (3 - place) * DAY;
      const turns = texts.map((text, index) => ({
        text,
        speaker: WORDS[who][0],
        occurredAt: new Date(start + index * 60_000).toISOString(),
      }));
      await say(client, { channel: 'sms', turns });
    }
  };
  const renew = async () => {
    world.now = new Date(world.now.getTime() + 7 * DAY);
    await storeStory('ann');
    await storeStory('bob');
    await world.settle();
  };
  const idsOf = async (who: 'ann' | 'bob'): Promise<string[]> => {
    const { body } = await server.post({ query: IDS }, headers[who]);
    return [...JSON.stringify(body).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id as string);
  };

  await renew();
  return {
    server,
    ann: { words: WORDS.ann, ids: await idsOf('ann') },
    bob: { words: WORDS.bob, ids: await idsOf('bob') },
    headersOf: (who) => headers[who],
    renew,
    async firstOf(body, callerHeaders) {
      await using stream = await server.stream(body, callerHeaders);
      const next = stream.next().catch(() => null);
      // By the time another request is answered, a refusal has arrived.
      await server.post({ query: '{ __typename }' }, headers.key);
      const result = await Promise.race([next, null]);
      const { errors = [] } = (result ?? {}) as { errors?: FuzzErrors };
      return { status: stream.status, text: JSON.stringify(result), errors };
    },
    deadSteps: () =>
      world.ctx.db.system(
        { name: 'fuzz-dead', text: 'SELECT user_id, step FROM jobs WHERE dead_at IS NOT NULL' },
        [],
      ),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
