import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { GraphQLClient } from '../../src/cli/support/graphql-over-http.ts';
import { hasWork, rememberTurns } from '../../src/cli/support/memory-client.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import { NEUTRAL_WEIGHTS } from '../../src/domain/links/linking.ts';
import { pickOne, seededRandom } from '../support/random.ts';
import { describeSetting, printResult, printSetting, printTable } from '../support/report.ts';
import { bestF1, type JudgedPair, type ServedLink, scoreLinks } from './link-scores.ts';
import { type LinkingPair, linkingPairs } from './linking-pairs.ts';
import { OF_ITS_OWN, type Opening } from './opened.ts';
import { readDialogues } from './segmentation/dialogues.ts';

type Client = Pick<GraphQLClient, 'request'>;
type Servers = Pick<Opening, 'startServer'>;
type Options = { databaseUrl?: string; pairs: number; tuning?: boolean };

/** Milliseconds between two turns, and between the two halves of a pair. */
const APART = 20_000;
const SILENCE = 45 * 60_000;
const START = Date.UTC(2024, 0, 1);
/** Milliseconds between two checks whether the background work is done. */
const POLL_EVERY = 100;
/** An implicit channel: the silence begins a new thread. */
const CHANNEL = 'sms';

/** Tuning starts from a threshold that links too little, and gets this many ratings. */
const WRONG_THRESHOLD = '0.95';
const RATINGS = 300;

type Numbered = LinkingPair & { userId: string; set: string };

/** Lets a server link halves of topics, and prints how its decisions compare with the labels. */
export async function evaluateLinking(
  files: string[],
  options: Options,
  servers: Servers = OF_ITS_OWN,
): Promise<void> {
  const pairs = await readPairs(files, options.pairs);
  const judged = await judgeAll(pairs, options, servers);
  const setting = await describeSetting(
    files.map((file) => basename(file)).join(' '),
    'built-in',
    options.databaseUrl,
  );
  printSetting(setting);
  const sets = [...new Set(pairs.map(({ set }) => set))];
  const rows = [
    ...sets.map((set) => [set, (pair: Numbered) => pair.set === set] as const),
    ['all', () => true] as const,
  ];
  printTable([
    ['pairs', 'AUC', 'F1', 'precision', 'recall', 'recall at precision .9'],
    ...rows.map(([name, of]) => {
      const score = scoreLinks(judged.filter((_, at) => of(pairs[at] as Numbered)));
      const figures = [
        score.auc,
        score.f1,
        score.precision,
        score.recall,
        score.recallAtPrecision90,
      ];
      return [name, ...figures.map((figure) => figure.toFixed(3))];
    }),
  ]);
  const scores = scoreLinks(judged);
  printTable([
    ['kind', 'pairs', 'linked'],
    ...Object.entries(scores.byKind).map(([kind, score]) => [
      kind,
      score.pairs,
      score.linked.toFixed(3),
    ]),
  ]);
  const tuning = options.tuning ? { tuning: await tuneFromWrong(pairs, options, servers) } : {};
  printResult({ ...scores, pairs: pairs.length, ...tuning, ...setting });
}

/** Draws at most `most` pairs from all files, evenly. Draws the same pairs each time. */
async function readPairs(files: string[], most: number): Promise<Numbered[]> {
  const sets = await Promise.all(files.map((file) => readDialogues(file)));
  const pairs = sets.flatMap(({ name, dialogues }) =>
    linkingPairs(dialogues).map((pair) => ({ ...pair, set: name })),
  );
  const random = seededRandom(1);
  const left = [...pairs];
  const drawn: typeof pairs = [];
  while (drawn.length < Math.min(most, pairs.length)) {
    const one = pickOne(random, left);
    left.splice(left.indexOf(one), 1);
    drawn.push(one);
  }
  console.log(`${drawn.length} of ${pairs.length} pairs`);
  return drawn.map((pair, index) => ({ ...pair, userId: `pair ${index}` }));
}

async function judgeAll(
  pairs: readonly Numbered[],
  { databaseUrl }: Options,
  { startServer }: Servers,
) {
  await using server = await startServer({ databaseUrl });
  return await judgePairs(server, pairs);
}

/** Stores both halves of each pair in a memory of its own, and reads the server's link decision. */
async function judgePairs(server: Client, pairs: readonly Numbered[]): Promise<JudgedPair[]> {
  {
    using remembered = showProgress('pairs remembered', pairs.length);
    for (const { userId, thread, message } of pairs) {
      const end = START + thread.texts.length * APART + SILENCE;
      await rememberTurns(server, userId, CHANNEL, turnsOf(thread, START));
      await rememberTurns(server, userId, CHANNEL, turnsOf(message, end));
      remembered.add(1);
    }
  }
  using done = showProgress('pairs judged', pairs.length);
  const judged: JudgedPair[] = [];
  for (const { userId, kind } of pairs) {
    judged.push({ kind, link: await decisionOn(server, userId) });
    done.add(1);
  }
  return judged;
}

const turnsOf = ({ from, texts }: LinkingPair['thread'], start: number) =>
  texts.map((text, index) => ({
    role: (from + index) % 2 ? 'ASSISTANT' : 'USER',
    text,
    occurredAt: new Date(start + index * APART).toISOString(),
  }));

const LINKS = `query Links($userId: String!) {
  user(userId: $userId) {
    links(first: 1) { edges { node {
      id verdict fusedScore algorithmicScore reasonerRelated reasonerConfidence
      parts { keyword entity topic recency } weights { keyword entity topic recency }
    } } }
  }
}`;

async function decisionOn(server: Client, userId: string): Promise<ServedLink | null> {
  type Answer = { user: { links: { edges: { node: ServedLink }[] } } };
  for (;;) {
    const isBusy = await hasWork(server, userId);
    const { user } = await server.request<Answer>(LINKS, { userId });
    const link = user.links.edges[0]?.node ?? null;
    if (link || !isBusy) return link;
    await delay(POLL_EVERY);
  }
}

const RATE = `mutation Rate($userId: String!, $linkId: ID!, $outcome: LinkOutcome!) {
  rateLink(userId: $userId, linkId: $linkId, outcome: $outcome) { __typename }
}`;
const SETTING = `query Setting($userId: String!) {
  user(userId: $userId) { linkingSetting { threshold } tuningRuns { decisions kept reason next { threshold } } }
}`;

type Runs = {
  user: {
    linkingSetting: { threshold: number };
    tuningRuns: { decisions: number; kept: boolean; reason: string; next: { threshold: number } }[];
  };
};

/** Starts from a wrong threshold, rates decisions, and measures the server's decisions on other pairs after it has tuned itself. */
async function tuneFromWrong(
  all: readonly Numbered[],
  { databaseUrl }: Options,
  { startServer }: Servers,
) {
  const random = seededRandom(2);
  const shuffled = all.map((pair) => ({ pair, at: random() })).sort((a, b) => a.at - b.at);
  const pairs = shuffled.slice(0, 2 * RATINGS).map(({ pair }) => pair);
  const env = { LINKING_THRESHOLD: WRONG_THRESHOLD };
  await using server = await startServer({ databaseUrl, env });
  const [rated, others] = [pairs.slice(0, RATINGS), pairs.slice(RATINGS)];
  const first = await judgePairs(server, rated);
  for (const [at, { kind, link }] of first.entries()) {
    if (!link) continue;
    const isRight = (link.verdict === 'LINK') === (kind === 'positive');
    const { userId } = rated[at] as Numbered;
    const outcome = isRight ? 'CORRECT' : 'INCORRECT';
    await server.request(RATE, { userId, linkId: link.id, outcome });
    while (await hasWork(server, userId, 'tune-linking')) await delay(POLL_EVERY);
  }
  const second = await judgePairs(server, others);
  const { user } = await server.request<Runs>(SETTING, { userId: rated[0]?.userId });
  const best = bestF1(second, NEUTRAL_WEIGHTS);
  const { f1 } = scoreLinks(second);
  printTable([
    ['tuning from a threshold of', 'to', 'F1', 'best F1', 'share'],
    [
      WRONG_THRESHOLD,
      user.linkingSetting.threshold,
      f1.toFixed(3),
      best.toFixed(3),
      (f1 / best).toFixed(3),
    ],
  ]);
  for (const { decisions, kept, reason } of user.tuningRuns.toReversed()) {
    console.log(`${decisions} decisions, ${kept ? 'kept' : 'nothing changed'}: ${reason}`);
  }
  const from = Number(WRONG_THRESHOLD);
  return {
    from,
    to: user.linkingSetting.threshold,
    rated: RATINGS,
    f1,
    bestF1: best,
    share: f1 / best,
  };
}
