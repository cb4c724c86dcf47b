import { builder } from './builder.ts';

const DAY = 86_400_000;
const MAX_DAYS = 366;

const ModelUsageType = builder.prismaObject('ModelUsage', {
  description: 'What requests to models cost, by day (UTC), step and model.',
  fields: (t) => ({
    day: t.string({
      description: 'The day (UTC), such as "2026-03-02".',
      resolve: ({ day }) => day.toISOString().slice(0, 10),
    }),
    step: t.exposeString('step', {
      description: 'What it was for, such as "describe-segment" or "embed".',
    }),
    model: t.exposeString('model', { description: "The model's name." }),
    calls: t.exposeInt('calls', { description: 'Requests, repairs of broken replies included.' }),
    promptTokens: t.float({
      description: 'Tokens sent, those that the server had in its cache included.',
      resolve: ({ promptTokens }) => Number(promptTokens),
    }),
    cachedTokens: t.float({
      description: 'Those of the tokens sent that the server had in its cache.',
      resolve: ({ cachedTokens }) => Number(cachedTokens),
    }),
    completionTokens: t.float({
      description: 'Tokens received.',
      resolve: ({ completionTokens }) => Number(completionTokens),
    }),
  }),
});

builder.prismaObjectField('User', 'usage', (t) =>
  t.prismaField({
    type: [ModelUsageType],
    select: { id: true },
    description: 'What models cost for this memory, the latest day first. Empty without a model.',
    args: {
      days: t.arg.int({ defaultValue: 30, description: 'Of so many days, today included: 1-366.' }),
    },
    resolve: (query, user, { days }, { app, prisma }) => {
      const span = Math.min(Math.max(days ?? 30, 1), MAX_DAYS);
      const since = new Date(app.clock().getTime() - (span - 1) * DAY).toISOString().slice(0, 10);
      return prisma.modelUsage.findMany({
        ...query,
        where: { userId: user.id, day: { gte: new Date(since) } },
        orderBy: [{ day: 'desc' }, { step: 'asc' }, { model: 'asc' }],
      });
    },
  }),
);
