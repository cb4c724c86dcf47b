import { DAY } from '../../shared/duration.ts';
import { builder } from '../core/builder.ts';
import { checkedCount } from '../core/checked-count.ts';

const MAX_DAYS = 366;

const ModelUsageType = builder.prismaObject('ModelUsage', {
  description: 'Requests to one model for one step on one day (UTC), with their tokens.',
  fields: (t) => ({
    day: t.string({
      description: 'The day in UTC, such as "2026-03-02".',
      resolve: ({ day }) => day.toISOString().slice(0, 10),
    }),
    step: t.exposeString('step', {
      description: 'What the requests were for, such as "describe-segment" or "embed".',
    }),
    model: t.exposeString('model', { description: 'The name of the model.' }),
    calls: t.exposeInt('calls', {
      description:
        'Requests that were answered, including those that asked for a correction of an invalid reply. Failed ones are not counted.',
    }),
    promptTokens: t.float({
      description:
        "Input tokens of the requests in `calls`, including those served from the provider's cache.",
      resolve: ({ promptTokens }) => Number(promptTokens),
    }),
    cachedTokens: t.float({
      description:
        'Input tokens that the provider served from its cache; a part of `promptTokens`.',
      resolve: ({ cachedTokens }) => Number(cachedTokens),
    }),
    completionTokens: t.float({
      description: 'Output tokens of the requests in `calls`.',
      resolve: ({ completionTokens }) => Number(completionTokens),
    }),
  }),
});

builder.prismaObjectField('User', 'usage', (t) =>
  t.prismaField({
    type: [ModelUsageType],
    select: { id: true },
    description:
      'The answered requests to language models, and to a server for embeddings, that were made because of this memory, with ' +
      'their tokens: one entry for each day (UTC), step and model, latest day first. Empty if there were none.',
    args: {
      days: t.arg.int({
        defaultValue: 30,
        description: `How many days to report, today (UTC) included: 1-${MAX_DAYS}.`,
      }),
    },
    resolve: (query, user, { days }, { app, prisma }) => {
      const span = checkedCount('days', days ?? 30, MAX_DAYS);
      const since = new Date(app.clock().getTime() - (span - 1) * DAY).toISOString().slice(0, 10);
      return prisma.modelUsage.findMany({
        ...query,
        where: { userId: user.id, day: { gte: new Date(since) } },
        orderBy: [{ day: 'desc' }, { step: 'asc' }, { model: 'asc' }],
      });
    },
  }),
);
