import { z } from 'zod';
import type { RecallContext } from '../../context.ts';
import type { ConversationState } from '../../db/search/conversation-state.ts';
import { parse } from '../../domain/core/parse.ts';
import { factTime } from '../../domain/facts/fact-time.ts';
import type { ChannelKind } from '../../domain/turns/channel.ts';
import { excerpt, questionIn } from '../../domain/turns/excerpt.ts';
import { isRestatedBy } from '../../domain/turns/restated.ts';
import { channelSchema } from '../../domain/turns/turn.ts';
import { continuityOf, pauseBetween } from '../../language/en/continuity.ts';
import { recall } from '../recall.ts';
import type { Recall } from '../recalled.ts';
import { episodesOf, recordImpression } from '../record-impression.ts';
import { touchRecalled } from '../touch-facts.ts';
import { channelOf, earlierOf, stateOf, windowOf } from './conversation.ts';
import { fitPrompt, type PromptParts } from './prompt-budget.ts';
import { withoutStatements } from './without-statements.ts';

/** The context for a prompt. */
export type PromptContext = PromptParts &
  Pick<Recall, 'range' | 'intent' | 'vectors'> & {
    mode: ChannelKind;
    threadId: number | null;
    related: ConversationState['related'];
  };

const inputSchema = z.object({
  channel: channelSchema.nullish().transform((channel) => channel ?? null),
  message: z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(10_000, 'must be at most 10,000 characters'),
  maxTokens: z
    .int()
    .min(200, 'must be at least 200')
    .max(1_000_000, 'must be at most 1,000,000')
    .nullish()
    .transform((tokens) => tokens ?? 4_000),
  asOf: z.date().nullish(),
  vector: z.unknown().optional(),
});

/** The longest texts of an earlier question and its answer, in characters. */
const EXCHANGE = { question: 160, answer: 240 };
/** Hits to choose from: more than fit into any usual budget. */
const MOST_HITS = 60;
/**
 * Hits with less than this share of the best turn's score are not about the message: they stay out, even if there is room. Of 270
 * questions about weeks of ordinary talk, 268 are answered by sixty hits, and 266 by those above the share of turns, two thirds of
 * them. Other kinds score lower.
 */
const RELEVANT = { turns: 0.3, others: 0.1 };

/**
 * Assembles the context for a model to answer a message (requirements 13.4). On an explicit channel it contains the thread and
 * what is known of the person, on an implicit one also what belongs to the thread from other threads.
 * @param threadId the thread that the caller named; null: the channel decides
 * @param isDry nothing is recorded, see `RecallRequest`
 * @throws InvalidInput, NotFound
 */
export async function promptContext(
  ctx: RecallContext,
  userId: string,
  { input, threadId, isDry }: { input: unknown; threadId: number | null; isDry: boolean },
): Promise<PromptContext> {
  const request = parse(inputSchema, input, 'input');
  const { message, maxTokens, vector } = request;
  const asOf = request.asOf ?? ctx.clock();
  const until = request.asOf ?? factTime(asOf);
  const place = { threadId, channel: channelOf(request.channel, threadId), asOf, until };
  const { state, mode } = await stateOf(ctx, userId, { ...place, alike: [] });
  const thread = state?.thread ?? null;
  const window = await windowOf(ctx, userId, { thread, message, until, maxTokens });
  const only = mode === 'EXPLICIT' && thread ? [thread.id] : null;
  const recalled = await recall(ctx, userId, {
    input: { query: message, first: MOST_HITS, detail: 'NONE', asOf: request.asOf ?? null, vector },
    threadIds: only,
    shownIn: null,
    isMessage: true,
    isDry,
  });
  const related = await earlierOf(ctx, userId, { ...place, ...recalled, state });
  const exchanges = exchangesOf(recalled, related);
  const shown = new Set([
    ...window.ids,
    ...exchanges.flatMap(({ questionId, answerId }) => [questionId, answerId ?? questionId]),
  ]);
  const parts = await fitPrompt(
    {
      message,
      timeZone: state?.timeZone ?? 'UTC',
      continuity: recalled.continues ? continuityIn(state, related, asOf) : null,
      exchanges: exchanges.map(({ question, answer }) => ({
        question: questionIn(question, EXCHANGE.question),
        answer: answer && excerpt(answer, message, EXCHANGE.answer),
      })),
      summaries: summariesOf(state?.shared ?? null, related),
      facts: recalled.facts,
      profile: profileBeside(state?.profile ?? null, recalled),
      hits: relevant(recalled.hits).filter(
        (hit) => !(hit.kind === 'TURN' && (shown.has(hit.turn.id) || hit.turn.text === message)),
      ),
      window: window.turns,
      asOf,
    },
    maxTokens,
  );
  if (!isDry) touchRecalled(ctx, userId, parts);
  void recordImpression(ctx, userId, {
    threadId: isDry ? null : (thread?.id ?? null),
    episodeIds: episodesOf(parts.hits),
    now: asOf,
  });
  const { range, intent, vectors } = recalled;
  const leftOut = { ...parts.leftOut, window: parts.leftOut.window + window.tooLong };
  return { ...parts, leftOut, mode, threadId: thread?.id ?? null, related, range, intent, vectors };
}

/** The exchanges to print, the earliest first: none if the message continues nothing, so that their turns may be hits. */
const exchangesOf = ({ continues }: Recall, related: ConversationState['related']) =>
  continues ? related.toReversed().flatMap(({ exchanges }) => exchanges) : [];

/** Leaves out what is not about the message. */
function relevant(hits: Recall['hits']): Recall['hits'] {
  const turns = hits.flatMap((hit) => (hit.kind === 'TURN' ? [hit.score] : []));
  const best = Math.max(...turns);
  // A share of a negative score would be higher than the score.
  const least = (share: number) => (best > 0 ? best * share : best);
  return hits.filter(
    ({ kind, score }) => score >= least(kind === 'TURN' ? RELEVANT.turns : RELEVANT.others),
  );
}

/** The profile without the facts that the prompt lists separately; null if nothing is left. */
function profileBeside(
  profile: ConversationState['profile'],
  { facts, hits }: Recall,
): ConversationState['profile'] {
  if (!profile) return null;
  const found = hits.flatMap((hit) => (hit.kind === 'FACT' ? [hit.fact] : []));
  const listed = [...facts, ...found].map(({ statement }) => statement);
  const prose = withoutStatements(profile.prose, listed);
  return prose === '' ? null : { ...profile, prose };
}

/** The line that resumes an earlier thread, and the pause since then; null without an earlier thread. */
function continuityIn(
  state: ConversationState | null,
  [previous]: ConversationState['related'],
  asOf: Date,
): PromptParts['continuity'] {
  if (!previous) return null;
  const { topic, title, exchanges, lastActivityAt } = previous;
  const pause = pauseBetween(lastActivityAt, state?.thread?.startedAt ?? asOf);
  return {
    line: continuityOf({ topic: topic ?? title, hasAsked: exchanges.length > 0 }),
    pause: pause && `Continuing from previous thread after ${pause} break`,
  };
}

/** The summaries of related threads. Their common summary comes first, if it says more than the others. */
function summariesOf(
  shared: string | null,
  related: ConversationState['related'],
): PromptParts['summaries'] {
  const single = related.flatMap(({ id, summary, lastActivityAt, turnCount }) =>
    summary === null ? [] : [{ threadId: id, text: summary, at: lastActivityAt, turns: turnCount }],
  );
  const texts = single.map(({ text }) => text);
  if (shared === null || isRestatedBy(shared, texts)) return single;
  return [
    { threadId: null, text: shared, at: null, turns: null },
    ...single.filter(({ text }) => !isRestatedBy(text, [shared])),
  ];
}
