import type { CaptureRecord } from '../../domain/episodes/capture.ts';
import { FLASHBULB, KEY_MOMENT } from '../../domain/episodes/forgetting.ts';
import { sentenceFor } from '../../language/en/episode-sentence.ts';
import { builder } from '../core/builder.ts';
import { listWords } from '../core/list-words.ts';
import { loadersOf, NEWEST } from '../core/loaders.ts';
import { jsonOf } from '../core/rows.ts';
import {
  CaptureStatusEnum,
  EpisodeKindEnum,
  GeneratedByEnum,
  PartOfDayEnum,
} from '../core/scalars.ts';
import { asTurns, TurnNode } from '../turns/turn.ts';
import { CaptureSignalsType } from './capture-signals.ts';
import { RevisionType } from './episode-revision.ts';
import { SkillNode } from './skill.ts';

export const EpisodeNode = builder.prismaNode('Episode', {
  description:
    'What happened: a whole thread (PRIMARY), a closed segment, whether it was captured or not (SEGMENT), or linked threads ' +
    '(CROSS_THREAD). Fields that are not determined yet are null.',
  id: {
    field: 'userId_id',
    description:
      'Global id of the episode. Pass it to `node`, `episode`, `rateMemory` or `explainMiss`, or as `episodeId` to `forget`.',
  },
  nullable: true,
  fields: (t) => ({
    kind: t.expose('kind', {
      type: EpisodeKindEnum,
      description: 'Whole thread, one segment of it, or several linked threads.',
    }),
    title: t.exposeString('title', {
      nullable: true,
      description: 'A title of up to 15 words; null if nothing was said that could be named.',
    }),
    summary: t.exposeString('summary', {
      nullable: true,
      description:
        'A summary of what was said, also in segments that were merged into it; null if it was nothing but greetings, thanks and reactions.',
    }),
    topic: t.exposeString('topic', { nullable: true, description: 'The subject in a few words.' }),
    approach: t.exposeString('approach', {
      nullable: true,
      description: 'How the matter was dealt with, in a few words; null if nothing was said of it.',
    }),
    sentence: t.string({
      nullable: true,
      description:
        'A sentence for people: "On 2026-03-02 (W10, 2026) we discussed … Approach: …", by the calendar in the user\'s time zone.',
      resolve: ({ date, week, year, partOfDay, topic, approach }) =>
        date && week && year && partOfDay && topic
          ? sentenceFor({ date, week, year, partOfDay }, topic, approach)
          : null,
    }),
    date: t.exposeString('date', {
      nullable: true,
      description: 'The day on which it ended, by the user\'s calendar, such as "2026-03-02".',
    }),
    week: t.exposeInt('week', { nullable: true, description: 'The ISO week of `date`, 1-53.' }),
    year: t.exposeInt('year', {
      nullable: true,
      description:
        'The year that the ISO week belongs to, which may differ from the calendar year.',
    }),
    partOfDay: t.expose('partOfDay', {
      type: PartOfDayEnum,
      nullable: true,
      description: "The part of the day at which it ended, in the user's time zone.",
    }),
    firstTurn: t.exposeInt('firstTurn', {
      description:
        'Number of its first turn in the thread. For CROSS_THREAD, turns are counted across all its threads, in the order they were said.',
    }),
    lastTurn: t.exposeInt('lastTurn', {
      description: 'Number of its last turn, counted like `firstTurn`.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      description: 'Event time of the first turn of the episode.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      description: 'Event time of the last turn of the episode.',
    }),
    durationSeconds: t.int({
      description: 'Seconds from `startedAt` to `endedAt`.',
      resolve: ({ startedAt, endedAt }) => Math.round((+endedAt - +startedAt) / 1000),
    }),
    micro: t.exposeString('micro', {
      nullable: true,
      description:
        'Micro summary, 1-3 sentences, of a PRIMARY or CROSS_THREAD; null until the first compaction, or if there is nothing ' +
        'to summarise. Of a SEGMENT, the summary of its own turns, without those of merged segments.',
    }),
    meso: t.exposeString('meso', {
      nullable: true,
      description:
        'Meso summary, one paragraph, of a PRIMARY or CROSS_THREAD; null until the first compaction, or if there is nothing to summarise.',
    }),
    macro: t.exposeString('macro', {
      nullable: true,
      description:
        'Macro summary of a PRIMARY or CROSS_THREAD: patterns that outlast the conversation; null until the ' +
        'first compaction, or if none was found.',
    }),
    compactedAt: t.expose('compactedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the summaries of a PRIMARY or CROSS_THREAD were last written; null until then, or while they are ' +
        'to be written again.',
    }),
    skills: t.relation('skills', {
      type: SkillNode,
      description:
        'Skills found in a PRIMARY or CROSS_THREAD when it was summarised; empty until then, and always for a SEGMENT.',
      query: { orderBy: { number: 'asc' } },
    }),
    capture: t.expose('capture', {
      type: CaptureStatusEnum,
      nullable: true,
      description: 'The capture decision for a segment; null for PRIMARY and CROSS_THREAD.',
    }),
    captureReason: t.exposeString('captureReason', {
      nullable: true,
      description:
        'The reason for the capture decision in a few words, such as "cooldown"; null where there is none yet, and for PRIMARY and CROSS_THREAD.',
    }),
    captureSignals: t.field({
      type: CaptureSignalsType,
      nullable: true,
      description:
        'The measurements behind the capture decision; null before it, and for PRIMARY and CROSS_THREAD.',
      resolve: ({ captureSignals }) => jsonOf<CaptureRecord | null>(captureSignals),
    }),
    mergedInto: t.relation('mergedInto', {
      nullable: true,
      description:
        'The episode of the same theme into which this segment was merged; null if it was not.',
    }),
    revisions: t.relation('revisions', {
      type: RevisionType,
      description:
        'Former summaries, from before another segment was merged into it or a late turn changed it.',
      query: { orderBy: { number: 'asc' } },
    }),
    surprise: t.exposeFloat('surprise', {
      nullable: true,
      description:
        'How unexpected the opening of the episode was after what came before, or how momentous the news in it is: the ' +
        'higher of both, 0-1. Null for PRIMARY and CROSS_THREAD, and from a `forget` until the rest is captured anew.',
    }),
    keyMoment: t.boolean({
      description: `True if surprise is at least ${KEY_MOMENT}: the episode is highlighted in results.`,
      resolve: ({ surprise }) => (surprise ?? 0) >= KEY_MOMENT,
    }),
    flashbulb: t.boolean({
      description: `True if surprise is at least ${FLASHBULB}: facts are extracted from it without waiting for further episodes.`,
      resolve: ({ surprise }) => (surprise ?? 0) >= FLASHBULB,
    }),
    stability: t.exposeFloat('stability', {
      nullable: true,
      description:
        'FSRS stability: days from its last review, or else its end, until the probability of recall is 90 %. Null if it does not fade.',
    }),
    difficulty: t.exposeFloat('difficulty', {
      nullable: true,
      description: 'FSRS difficulty, 1-10. Null if the episode does not fade.',
    }),
    lastReviewedAt: t.expose('lastReviewedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The `EpisodeReview.at` of its latest review; null if it was never reviewed.',
    }),
    consolidatedAt: t.expose('consolidatedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When it was last read for facts as a whole; null if it never was, or if its summary has changed since. Only a SEGMENT ' +
        'whose `capture` is CREATED is read so.',
    }),
    summarizedInto: t.relation('summarizedInto', {
      nullable: true,
      description: 'The semantic memory that summarises this episode; null until one was written.',
    }),
    generatedBy: t.expose('generatedBy', {
      type: GeneratedByEnum,
      nullable: true,
      description: 'Whether the built-in rules or a model wrote title and summary.',
    }),
    model: t.exposeString('model', {
      nullable: true,
      description: 'The model that wrote title and summary, or the version of the built-in rules.',
    }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description: 'When the episode was stored.',
    }),
    thread: t.relation('thread', {
      nullable: true,
      description: 'The thread of a PRIMARY or SEGMENT; null for CROSS_THREAD, which has several.',
    }),
    threads: t.relation('threads', {
      description: 'The threads of a CROSS_THREAD, earliest first; empty for other kinds.',
      query: { orderBy: [{ startedAt: 'asc' }, { id: 'asc' }] },
    }),
    parent: t.relation('parent', {
      nullable: true,
      description: 'The PRIMARY episode that a SEGMENT belongs to; null for other kinds.',
    }),
    segments: t.relatedConnection('segments', {
      ...listWords({
        entries: 'segments of the episode',
        start: 'the earliest',
        end: 'the latest',
        node: 'A segment of the episode, which is an episode itself: its `kind` is SEGMENT.',
      }),
      cursor: 'userId_id',
      description: 'The segments of a PRIMARY, in order; empty for other kinds.',
      query: { orderBy: { ordinal: 'asc' } },
    }),
    turns: t.field({
      type: [TurnNode],
      description:
        `Its own turns, word for word, oldest first, without those of segments merged into it; of a CROSS_THREAD those of all its ` +
        `threads. If there are more than ${NEWEST}, the newest; \`Thread.turns\` lists all.`,
      resolve: async ({ userId, id, threadId, firstTurn, lastTurn }, _args, context) => {
        if (threadId === null) {
          return asTurns(await loadersOf(context).crossThreadTurns.load({ userId, id }));
        }
        const from = Math.max(firstTurn, lastTurn - NEWEST + 1);
        const range = { userId, threadId, from, to: lastTurn };
        return asTurns(await loadersOf(context).stretches.load(range));
      },
    }),
  }),
});
