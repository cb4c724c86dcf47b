import type { CaptureRecord } from '../../domain/episodes/capture.ts';
import { FLASHBULB, KEY_MOMENT } from '../../domain/episodes/forgetting.ts';
import { sentenceFor } from '../../language/en/episode-sentence.ts';
import { builder } from '../core/builder.ts';
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
      'Global id of the episode. Pass it to `node`, `episode`, `rateMemory` or `explainMiss`, as `episodeId` to `forget`, or in ' +
      '`episodeIds` to `moveMisplacedEpisodes`.',
  },
  nullable: true,
  fields: (t) => ({
    kind: t.expose('kind', {
      type: EpisodeKindEnum,
      description: 'Whole thread, one segment of it, or several linked threads.',
    }),
    title: t.exposeString('title', {
      nullable: true,
      description:
        'A title, mostly of up to 15 words. Null until it is written, or if nothing was said that could be named.',
    }),
    summary: t.exposeString('summary', {
      nullable: true,
      description:
        'A summary of the episode and of the segments merged into it; null if nothing was said but greetings, thanks, reactions ' +
        'and the like. For PRIMARY and CROSS_THREAD it is the same as `micro`.',
    }),
    topic: t.exposeString('topic', {
      nullable: true,
      description: 'The subject in a few words; null if none was found.',
    }),
    approach: t.exposeString('approach', {
      nullable: true,
      description:
        'How the matter was dealt with, in a few words; null if no words for it were found.',
    }),
    sentence: t.string({
      nullable: true,
      description:
        'The episode in a form for people to read: "On 2026-03-02 (W10, 2026) we discussed … Approach: …", the last part only ' +
        "with an `approach`. The date is that of the user's time zone. Null while `date` or `topic` is null.",
      resolve: ({ date, week, year, partOfDay, topic, approach }) =>
        date && week && year && partOfDay && topic
          ? sentenceFor({ date, week, year, partOfDay }, topic, approach)
          : null,
    }),
    date: t.exposeString('date', {
      nullable: true,
      description:
        'The day on which the episode ended, in the user\'s time zone, such as "2026-03-02". If the episode goes on, ' +
        '`date` changes when the summary is written again.',
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
      description:
        "The part of the day at which the episode ended, in the user's time zone. It is set together with `date`.",
    }),
    firstTurn: t.exposeInt('firstTurn', {
      description:
        'Number of the first turn of the episode in its thread, from 1. For CROSS_THREAD, turns are counted across all its ' +
        'threads, in the order they were said.',
    }),
    lastTurn: t.exposeInt('lastTurn', {
      description:
        'Number of the last turn of the episode, counted like `firstTurn`. Turns of merged segments are not included. The ' +
        'newest turns may be missing: from a PRIMARY until they are in a closed segment or a summary, from a CROSS_THREAD ' +
        'until its next summary.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      description:
        'Event time of the first turn of the episode. For PRIMARY and CROSS_THREAD it may be when `openThread` opened a ' +
        'thread, if that was before its first turn.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      description:
        'Event time of the last turn of the episode. Segments that were merged into the episode do not change it.',
    }),
    durationSeconds: t.int({
      description: 'Seconds from `startedAt` to `endedAt`.',
      resolve: ({ startedAt, endedAt }) => Math.round((+endedAt - +startedAt) / 1000),
    }),
    micro: t.exposeString('micro', {
      nullable: true,
      description:
        'For PRIMARY the micro summary, mostly 1-3 sentences; for CROSS_THREAD one text made from the summaries of its threads; for ' +
        'SEGMENT the summary of its own turns, without those of merged segments. Null until it is first written, and if there is ' +
        'nothing to summarise. A `forget` of some turns, or a thread that leaves a CROSS_THREAD, makes it null until it is written ' +
        'again.',
    }),
    meso: t.exposeString('meso', {
      nullable: true,
      description:
        'Meso summary, one paragraph, of a PRIMARY or CROSS_THREAD. Null until it is written, or written again after a `forget` of ' +
        'some turns or after a thread left a CROSS_THREAD; also if there is nothing to summarise, and for SEGMENT.',
    }),
    macro: t.exposeString('macro', {
      nullable: true,
      description:
        'Macro summary of a PRIMARY or CROSS_THREAD: patterns that outlast the conversation. Null until it is written, or written ' +
        'again after a `forget` of some turns or after a thread left a CROSS_THREAD; also if no pattern was found, and for SEGMENT.',
    }),
    compactedAt: t.expose('compactedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the summaries of a PRIMARY or CROSS_THREAD were last written. Null until then, and for SEGMENT. Also null until they ' +
        'are written again after a `forget` of some turns, or after a thread joined or left a CROSS_THREAD or was itself summarised.',
    }),
    skills: t.relation('skills', {
      type: SkillNode,
      description:
        'Skills found in a PRIMARY or CROSS_THREAD when it was last summarised; empty until then, and always for a SEGMENT.',
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
        'The reason for the latest capture decision in a few words, such as "cooldown". Null before the first decision, after a ' +
        '`forget` of some turns until the segment is decided again, and for PRIMARY and CROSS_THREAD.',
    }),
    captureSignals: t.field({
      type: CaptureSignalsType,
      nullable: true,
      description:
        'The measurements behind the latest capture decision. Null before the first decision, after a `forget` of some turns until ' +
        'the segment is decided again, and for PRIMARY and CROSS_THREAD.',
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
        'Former summaries of a SEGMENT, oldest first. One is kept when a merged segment or a late turn changes the summary. Empty ' +
        'for other kinds.',
      query: { orderBy: { number: 'asc' } },
    }),
    surprise: t.exposeFloat('surprise', {
      nullable: true,
      description:
        'How unexpected the opening of the episode was after what came before (0 at the start of a thread or after a long ' +
        'silence), or how momentous the news in it is: the higher of both, 0-1. Merged segments do not count. Null for PRIMARY and ' +
        'CROSS_THREAD; also null after a `forget` of some of its turns or a late turn, until it is computed again.',
    }),
    keyMoment: t.boolean({
      description:
        `True if \`surprise\` is at least ${KEY_MOMENT}. The texts of \`recall\` and \`context\` mark such an episode as a key ` +
        'moment.',
      resolve: ({ surprise }) => (surprise ?? 0) >= KEY_MOMENT,
    }),
    flashbulb: t.boolean({
      description:
        `True if \`surprise\` is at least ${FLASHBULB}. If \`capture\` is CREATED, facts are then extracted from the episode as ` +
        'a whole without waiting for further episodes.',
      resolve: ({ surprise }) => (surprise ?? 0) >= FLASHBULB,
    }),
    stability: t.exposeFloat('stability', {
      nullable: true,
      description:
        'FSRS stability: the days until the probability of recall is 90 %, counted from the last review or from the end of the ' +
        'episode, whichever is later. Null if the episode does not fade; kept while a late turn makes its `capture` PENDING.',
    }),
    difficulty: t.exposeFloat('difficulty', {
      nullable: true,
      description:
        'FSRS difficulty, 1-10: the higher it is, the less a good review slows the fading. Null if `stability` is null.',
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
        'When facts were last extracted from the episode as a whole, which is done only for a SEGMENT whose `capture` is ' +
        'CREATED. Null if never, or if its summary has been written again since.',
    }),
    summarizedInto: t.relation('summarizedInto', {
      nullable: true,
      description:
        'The semantic memory that summarises this episode; null if none does yet. Only a SEGMENT whose `capture` is CREATED is ' +
        'summarised in one.',
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
  }),
});
