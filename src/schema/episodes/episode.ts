import type { CaptureRecord } from '../../domain/episodes/capture.ts';
import { FLASHBULB, KEY_MOMENT } from '../../domain/episodes/forgetting.ts';
import { sentenceFor } from '../../language/en/episode-sentence.ts';
import { builder } from '../core/builder.ts';
import { listWords } from '../core/list-words.ts';
import { jsonOf } from '../core/rows.ts';
import {
  CaptureStatusEnum,
  EpisodeKindEnum,
  GeneratedByEnum,
  PartOfDayEnum,
} from '../core/scalars.ts';
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
        'A summary of the episode and of the segments merged into it; null if nothing but greetings, thanks and reactions was ' +
        'said.',
    }),
    topic: t.exposeString('topic', { nullable: true, description: 'The subject in a few words.' }),
    approach: t.exposeString('approach', {
      nullable: true,
      description: 'How the matter was dealt with, in a few words; null if nothing was said of it.',
    }),
    sentence: t.string({
      nullable: true,
      description:
        'The episode in a form for people to read: "On 2026-03-02 (W10, 2026) we discussed … Approach: …". The date is that of ' +
        "the user's time zone. Null while `date` or `topic` is null.",
      resolve: ({ date, week, year, partOfDay, topic, approach }) =>
        date && week && year && partOfDay && topic
          ? sentenceFor({ date, week, year, partOfDay }, topic, approach)
          : null,
    }),
    date: t.exposeString('date', {
      nullable: true,
      description:
        'The day on which the episode ended, in the user\'s time zone, such as "2026-03-02".',
    }),
    week: t.exposeInt('week', { nullable: true, description: 'The ISO week of `date`, 1-53.' }),
    year: t.exposeInt('year', {
      nullable: true,
      description:
        'The year that the ISO week in `week` belongs to. Around New Year it may differ from the year in `date`.',
    }),
    partOfDay: t.expose('partOfDay', {
      type: PartOfDayEnum,
      nullable: true,
      description: "The part of the day at which the episode ended, in the user's time zone.",
    }),
    firstTurn: t.exposeInt('firstTurn', {
      description:
        'Number of the first turn of the episode in its thread, from 1. For CROSS_THREAD, turns are counted across all its ' +
        'threads, in the order they were said.',
    }),
    lastTurn: t.exposeInt('lastTurn', {
      description:
        'Number of the last turn of the episode, counted like `firstTurn`. Turns of merged segments are not included.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      description: 'Event time of the first turn of the episode.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      description:
        'Event time of the last turn of the episode. Segments that were merged into it do not move it.',
    }),
    durationSeconds: t.int({
      description: 'Seconds from `startedAt` to `endedAt`.',
      resolve: ({ startedAt, endedAt }) => Math.round((+endedAt - +startedAt) / 1000),
    }),
    micro: t.exposeString('micro', {
      nullable: true,
      description:
        'For PRIMARY and CROSS_THREAD the micro summary, 1-3 sentences. Null until the first compaction, after a `forget` ' +
        'of some turns until the next one, or if there is nothing to summarise. For SEGMENT the summary of its own turns, without those of merged segments.',
    }),
    meso: t.exposeString('meso', {
      nullable: true,
      description:
        'Meso summary, one paragraph, of a PRIMARY or CROSS_THREAD. Null until the first compaction, after a `forget` until the ' +
        'next one, if there is nothing to summarise, and for SEGMENT.',
    }),
    macro: t.exposeString('macro', {
      nullable: true,
      description:
        'Macro summary of a PRIMARY or CROSS_THREAD: patterns that outlast the conversation. Null until the first compaction, ' +
        'after a `forget` until the next one, if no pattern was found, and for SEGMENT.',
    }),
    compactedAt: t.expose('compactedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the summaries of a PRIMARY or CROSS_THREAD were last written. Null if they are still to be written, or to be ' +
        'written again, and for SEGMENT.',
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
        'The reason for the latest capture decision in a few words, such as "cooldown". Null before the first decision, and for ' +
        'PRIMARY and CROSS_THREAD.',
    }),
    captureSignals: t.field({
      type: CaptureSignalsType,
      nullable: true,
      description:
        'The measurements behind the latest capture decision. Null before the first decision, and for PRIMARY and CROSS_THREAD.',
      resolve: ({ captureSignals }) => jsonOf<CaptureRecord | null>(captureSignals),
    }),
    mergedInto: t.relation('mergedInto', {
      nullable: true,
      description:
        'The episode of the same theme into which this segment was merged; null if it was not merged.',
    }),
    revisions: t.relation('revisions', {
      type: RevisionType,
      description:
        'Former summaries of the episode, oldest first. One is kept when a merged segment or a late turn changes the summary.',
      query: { orderBy: { number: 'asc' } },
    }),
    surprise: t.exposeFloat('surprise', {
      nullable: true,
      description:
        'How unexpected the opening of the episode was after what came before, or how momentous the news anywhere in it is: ' +
        'the higher of both, 0-1. Null for PRIMARY and CROSS_THREAD. After a `forget` of some of its turns also null, until the remaining ' +
        'turns are captured again.',
    }),
    keyMoment: t.boolean({
      description:
        `True if \`surprise\` is at least ${KEY_MOMENT}. The texts of \`recall\` and \`context\` mark such an episode as a key ` +
        'moment.',
      resolve: ({ surprise }) => (surprise ?? 0) >= KEY_MOMENT,
    }),
    flashbulb: t.boolean({
      description:
        `True if \`surprise\` is at least ${FLASHBULB}. Facts are then extracted from the episode without waiting for further ` +
        'episodes.',
      resolve: ({ surprise }) => (surprise ?? 0) >= FLASHBULB,
    }),
    stability: t.exposeFloat('stability', {
      nullable: true,
      description:
        'FSRS stability: the days until the probability of recall is 90 %, counted from the last review or from the end of the ' +
        'episode, whichever is later. Null if the episode does not fade.',
    }),
    difficulty: t.exposeFloat('difficulty', {
      nullable: true,
      description:
        'FSRS difficulty, 1-10: the higher it is, the less a good review slows the fading. Null if the episode does not fade.',
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
        'When facts were last extracted from the episode as a whole; null if never, or if its summary has changed since. This ' +
        'is done only for a SEGMENT whose `capture` is CREATED.',
    }),
    summarizedInto: t.relation('summarizedInto', {
      nullable: true,
      description: 'The semantic memory that summarises this episode; null if none does yet.',
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
      description: 'The segments of a PRIMARY, in the order of their turns; empty for other kinds.',
      query: { orderBy: { ordinal: 'asc' } },
    }),
  }),
});
