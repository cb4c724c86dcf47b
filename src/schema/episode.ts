import { sentenceFor } from '../domain/calendar.ts';
import type { CaptureRecord } from '../domain/capture.ts';
import { FLASHBULB, KEY_MOMENT } from '../domain/forgetting.ts';
import { builder } from './builder.ts';
import { CaptureSignalsType } from './capture-signals.ts';
import { loadersOf, NEWEST } from './loaders.ts';
import { nothing, ownKey } from './request-context.ts';
import { CaptureStatusEnum, EpisodeKindEnum, GeneratedByEnum, PartOfDayEnum } from './scalars.ts';
import { TurnNode } from './turn.ts';

export const SkillType = builder.prismaObject('Skill', {
  description: 'A pattern that worked and can be used again.',
  fields: (t) => ({
    name: t.exposeString('name', { description: '2 to 6 words.' }),
    description: t.exposeString('description', { description: 'When to use it and how.' }),
    generatedBy: t.expose('generatedBy', { type: GeneratedByEnum, description: 'Who found it.' }),
    evidenceTurns: t.exposeIntList('evidenceTurns', {
      description: 'Numbers of the turns of its thread that show it.',
    }),
    useCount: t.int({
      description: 'In how many threads it was found, by its name; 1 if only in several together.',
      resolve: ({ userId, name }, _args, context) =>
        loadersOf(context).skillUses.load({ userId, name }),
    }),
    recordedAt: t.expose('recordedAt', { type: 'DateTime', description: 'When it was found.' }),
  }),
});

const RevisionType = builder.prismaObject('EpisodeRevision', {
  description: 'An earlier summary of an episode that another was merged into.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'From 1, the earliest.' }),
    summary: t.exposeString('summary', { description: 'What was said then.' }),
    recordedAt: t.expose('recordedAt', { type: 'DateTime', description: 'When it was replaced.' }),
  }),
});

export const EpisodeNode = builder.prismaNode('Episode', {
  description:
    'What happened: the whole of one thread (PRIMARY), one event inside it (SEGMENT), or several threads about the same thing (CROSS_THREAD). What is not known yet is null.',
  id: { field: 'userId_id' },
  nullable: true,
  fields: (t) => ({
    kind: t.expose('kind', { type: EpisodeKindEnum, description: 'What it is a whole of.' }),
    title: t.exposeString('title', {
      nullable: true,
      description: 'What names its matter, in up to 15 words; null where nothing does.',
    }),
    summary: t.exposeString('summary', {
      nullable: true,
      description:
        'What was said; null where that was nothing but greetings, thanks and reactions.',
    }),
    topic: t.exposeString('topic', { nullable: true, description: 'What it was about.' }),
    approach: t.exposeString('approach', {
      nullable: true,
      description: 'How it was dealt with; null if it was not.',
    }),
    sentence: t.string({
      nullable: true,
      description:
        'For people: "On 2026-03-02 (W10, 2026) we discussed … Approach: …", by the calendar of the user\'s time zone.',
      resolve: ({ date, week, year, partOfDay, topic, approach }) =>
        date && week && year && partOfDay && topic
          ? sentenceFor({ date, week, year, partOfDay }, topic, approach)
          : null,
    }),
    date: t.exposeString('date', {
      nullable: true,
      description: 'Its day on the user\'s calendar, such as "2026-03-02".',
    }),
    week: t.exposeInt('week', { nullable: true, description: 'The ISO week of that day, 1-53.' }),
    year: t.exposeInt('year', {
      nullable: true,
      description: 'The year that the week belongs to.',
    }),
    partOfDay: t.expose('partOfDay', {
      type: PartOfDayEnum,
      nullable: true,
      description: "By the clock of the user's time zone.",
    }),
    firstTurn: t.exposeInt('firstTurn', {
      description:
        'Number of its first turn in the thread. The turns of a CROSS_THREAD count over all its threads by the time they were said.',
    }),
    lastTurn: t.exposeInt('lastTurn', { description: 'Number of its last turn, counted alike.' }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      description: 'When its first turn was said.',
    }),
    endedAt: t.expose('endedAt', { type: 'DateTime', description: 'When its last turn was said.' }),
    durationSeconds: t.int({
      description: 'Seconds from its first to its last turn.',
      resolve: ({ startedAt, endedAt }) => Math.round((+endedAt - +startedAt) / 1000),
    }),
    micro: t.exposeString('micro', {
      nullable: true,
      description:
        'Of a PRIMARY or CROSS_THREAD: 1 to 3 sentences; null until the thread was compacted, and where it says nothing.',
    }),
    meso: t.exposeString('meso', { nullable: true, description: 'Of the same: a paragraph.' }),
    macro: t.exposeString('macro', {
      nullable: true,
      description: 'Of the same: patterns that outlast the conversation.',
    }),
    compactedAt: t.expose('compactedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last compacted.',
    }),
    skills: t.relation('skills', {
      type: SkillType,
      description: 'Patterns found in it.',
      query: { orderBy: { number: 'asc' } },
    }),
    capture: t.expose('capture', {
      type: CaptureStatusEnum,
      nullable: true,
      description: 'What became of a closed segment; null for a PRIMARY.',
    }),
    captureReason: t.exposeString('captureReason', {
      nullable: true,
      description: 'Why, in a few words.',
    }),
    captureSignals: t.field({
      type: CaptureSignalsType,
      nullable: true,
      description: 'What the decision was made by.',
      resolve: ({ captureSignals }) => captureSignals as CaptureRecord | null,
    }),
    mergedInto: t.relation('mergedInto', {
      nullable: true,
      description: 'The episode of the same theme that it became a part of.',
    }),
    revisions: t.relation('revisions', {
      type: RevisionType,
      description: 'Earlier summaries, before others were merged into it.',
      query: { orderBy: { number: 'asc' } },
    }),
    surprise: t.exposeFloat('surprise', {
      nullable: true,
      description: '0 fully expected, 1 model-breaking.',
    }),
    keyMoment: t.boolean({
      description: `Whether its surprise is at least ${KEY_MOMENT}.`,
      resolve: ({ surprise }) => (surprise ?? 0) >= KEY_MOMENT,
    }),
    flashbulb: t.boolean({
      description: `Whether its surprise is at least ${FLASHBULB}.`,
      resolve: ({ surprise }) => (surprise ?? 0) >= FLASHBULB,
    }),
    stability: t.exposeFloat('stability', {
      nullable: true,
      description: 'FSRS: days until it is recalled with a probability of 90 %.',
    }),
    difficulty: t.exposeFloat('difficulty', { nullable: true, description: 'FSRS: 1-10.' }),
    lastReviewedAt: t.expose('lastReviewedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When FSRS last moved.',
    }),
    consolidatedAt: t.expose('consolidatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When facts were taken from it; null = not yet.',
    }),
    summarizedInto: t.relation('summarizedInto', {
      nullable: true,
      description: 'The semantic memory that tells it; null = not yet.',
    }),
    generatedBy: t.expose('generatedBy', {
      type: GeneratedByEnum,
      nullable: true,
      description: 'Who made these texts.',
    }),
    model: t.exposeString('model', {
      nullable: true,
      description: 'The language model, or the version of the built-in rules.',
    }),
    recordedAt: t.expose('recordedAt', { type: 'DateTime', description: 'When it was made here.' }),
    thread: t.relation('thread', {
      nullable: true,
      description: 'The thread; null for a CROSS_THREAD, which has several.',
    }),
    threads: t.relation('threads', {
      description: 'Of a CROSS_THREAD: its threads, the earliest first.',
      query: { orderBy: [{ startedAt: 'asc' }, { id: 'asc' }] },
    }),
    parent: t.relation('parent', {
      nullable: true,
      description: 'Of a SEGMENT: the PRIMARY of its thread.',
    }),
    segments: t.relatedConnection('segments', {
      cursor: 'userId_id',
      description: 'Of a PRIMARY: its segments in order.',
      query: { orderBy: { ordinal: 'asc' } },
    }),
    turns: t.field({
      type: [TurnNode],
      description: `Its turns, word for word; of more than ${NEWEST} the newest. All are at its thread.`,
      resolve: async ({ userId, id, threadId, firstTurn, lastTurn }, _args, context) => {
        if (threadId === null) {
          return (await loadersOf(context).crossThreadTurns.load({ userId, id })) as never;
        }
        const first = Math.max(firstTurn, lastTurn - NEWEST + 1);
        const range = { userId, threadId, first, last: lastTurn };
        return (await loadersOf(context).stretches.load(range)) as never;
      },
    }),
  }),
});

builder.queryField('episode', (t) =>
  t.prismaField({
    type: 'Episode',
    nullable: true,
    description: 'An episode by its id; null when this memory has none of that id.',
    args: {
      id: t.arg.id({ required: true, description: 'Its `id`.' }),
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
    },
    resolve: (query, _root, args, { viewer, prisma }) => {
      const key = ownKey(viewer, 'Episode', args);
      return key
        ? prisma.episode.findUnique({ ...query, where: { userId_id: key } })
        : nothing(query);
    },
  }),
);
