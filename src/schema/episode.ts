import { builder } from './builder.ts';
import { GeneratedByEnum } from './scalars.ts';

builder.prismaNode('Episode', {
  description: 'What happened: the whole of one thread, described once it is idle or closed.',
  id: { field: 'userId_id' },
  nullable: true,
  fields: (t) => ({
    title: t.exposeString('title', {
      description: '5 to 15 words, where there was as much to say.',
    }),
    summary: t.exposeString('summary', { description: 'What was said, at most 50 words.' }),
    topic: t.exposeString('topic', { description: 'What it was about.' }),
    approach: t.exposeString('approach', {
      nullable: true,
      description: 'How it was dealt with; null if it was not.',
    }),
    generatedBy: t.expose('generatedBy', {
      type: GeneratedByEnum,
      description: 'Who made these texts.',
    }),
    model: t.exposeString('model', {
      description: 'The language model, or the version of the built-in rules.',
    }),
    turnCount: t.exposeInt('turnCount', {
      description: 'Turns that the thread had when it was described.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      description: 'When its first turn was said.',
    }),
    endedAt: t.expose('endedAt', { type: 'DateTime', description: 'When its last turn was said.' }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description: 'When it was described.',
    }),
    thread: t.relation('thread', { description: 'The thread.' }),
  }),
});
