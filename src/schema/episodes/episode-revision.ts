import { builder } from '../core/builder.ts';

export const RevisionType = builder.prismaObject('EpisodeRevision', {
  description:
    'A former summary of a SEGMENT, from before another segment was merged into it or a late turn changed it. Other kinds of ' +
    'episodes keep none.',
  fields: (t) => ({
    number: t.exposeInt('number', {
      description: 'Position in the order of revisions, from 1 (the oldest).',
    }),
    summary: t.exposeString('summary', {
      description: 'The summary of the episode before the change, word for word.',
    }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description: 'When a newer summary replaced this one.',
    }),
  }),
});
