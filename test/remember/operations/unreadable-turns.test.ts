import { expect, it } from 'vitest';
import type { LanguageThread } from '../../../src/language-threads/language-thread.ts';
import type { LanguageThreads } from '../../../src/language-threads/language-threads.ts';
import { TaskStopped } from '../../../src/language-threads/time-limit.ts';
import { recallAll } from '../../support/recall.ts';
import { say } from '../../support/samples/conversation.ts';
import { sharedThreads } from '../../support/shared.ts';
import { createWorld } from '../../support/world.ts';

const WORD = 'tarpit';
const HOUR = 3_600_000;

/** The tasks that were stopped, by their method. */
const stopped: string[] = [];

/** A thread that is stopped by every text with this word, as by one that takes the rules too long. */
const stoppedByWord = (thread: LanguageThread): LanguageThread => ({
  ...thread,
  async run(method, input, task) {
    if (!JSON.stringify(input).includes(WORD)) return thread.run(method, input, task);
    stopped.push(method);
    throw new TaskStopped('too slow');
  },
});

const shared = sharedThreads(false);
const languageThreads: LanguageThreads = {
  ...shared,
  steps: stoppedByWord(shared.steps),
  facts: stoppedByWord(shared.facts),
};

const STATE = `{ viewer {
  turns(first: 9) { edges { node { text readByRules } } }
  facts(first: 9) { edges { node { key value } } }
  events(first: 50) { edges { node { kind decision } } }
  jobs(first: 9) { edges { node { step lastError } } }
} }`;
type Page<T> = { edges: { node: T }[] };
type State = {
  turns: Page<{ text: string; readByRules: boolean }>;
  facts: Page<{ key: string | null; value: string }>;
  events: Page<{ kind: string; decision: string }>;
  jobs: Page<{ step: string; lastError: string | null }>;
};

it('a turn that the rules cannot read in time is marked for good, an event reports it, and its words still find it', async () => {
  await using world = await createWorld({ EMBEDDER: 'none' }, { languageThreads });
  const ann = await world.user('ann');
  const stateOf = async () => {
    const { data } = (await ann.post({ query: STATE })).body;
    const { turns, facts, events, jobs } = (data as { viewer: State }).viewer;
    return {
      unread: turns.edges.flatMap(({ node }) => (node.readByRules ? [] : node.text)),
      facts: facts.edges.map(({ node }) => `${node.key} = ${node.value}`),
      reports: events.edges.map(({ node }) => node).filter(({ kind }) => kind === 'TURN_UNREAD'),
      failed: jobs.edges.filter(({ node }) => node.lastError !== null),
    };
  };
  const slow = `The ${WORD} was full of mammoths when we looked into it.`;
  await say(ann, { channel: 'sms', turns: [{ text: slow }, { text: 'I live in Oslo.' }] });
  await world.settle();
  expect(stopped.length).toBeGreaterThan(0);
  const report = {
    kind: 'TURN_UNREAD',
    decision: expect.stringMatching(/^turn\.unread .*words and vectors still find it/),
  };
  const marked = { unread: [slow], facts: ['profile:city = Oslo'], reports: [report], failed: [] };
  expect(await stateOf()).toEqual(marked);
  const { hits } = await recallAll(ann, { query: 'mammoths' });
  expect(hits.flatMap((hit) => ('turn' in hit ? [hit.turn.text] : []))).toContain(slow);

  stopped.length = 0;
  world.now = new Date(world.now.getTime() + 12 * HOUR);
  await world.settle();
  await say(ann, { channel: 'sms', turns: [{ text: 'The mammoths were seen again in Oslo.' }] });
  await world.settle();
  world.now = new Date(world.now.getTime() + 12 * HOUR);
  await world.settle();
  expect(stopped).toEqual([]);
  expect(await stateOf()).toEqual(marked);
});
