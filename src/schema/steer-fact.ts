import { InvalidInput, NotFound } from '../domain/errors.ts';
import { pinFact, recordFact, restoreFact, retractFact } from '../remember/steer-fact.ts';
import { builder } from './builder.ts';
import { FactCategoryEnum, PolarityEnum } from './fact-enums.ts';
import { localId, userOf } from './request-context.ts';

const RecordFactInput = builder.inputType('RecordFactInput', {
  description: 'A fact by hand: it takes the place of what was believed of the same thing.',
  fields: (t) => ({
    userId: t.string({ description: 'Under an API key: whose memory.' }),
    category: t.field({ type: FactCategoryEnum, required: true, description: 'What kind it is.' }),
    key: t.string({
      description: 'What it is about, such as "profile:city"; at most 200 characters.',
    }),
    value: t.string({ required: true, description: 'What is true, 1-500 characters.' }),
    statement: t.string({ description: 'A sentence that says it; the value if left out.' }),
    polarity: t.field({ type: PolarityEnum, description: 'POSITIVE if left out.' }),
    scope: t.string({ description: 'Where or when it holds; always if left out.' }),
    importance: t.float({ description: 'How much it matters, 0.2-1; 0.8 if left out.' }),
    validFrom: t.field({ type: 'DateTime', description: 'Since when it holds; now if left out.' }),
    pinned: t.boolean({ description: 'Whether it is always recalled.' }),
  }),
});

const ofUser = (userId: string, id: number) => ({ userId_id: { userId, id } });

const errors = { types: [InvalidInput, NotFound] };

builder.mutationField('recordFact', (t) =>
  t.prismaField({
    type: 'Fact',
    description: 'Records a fact by hand. Earlier ones under its key stay on record.',
    errors,
    args: { input: t.arg({ type: RecordFactInput, required: true, description: 'The fact.' }) },
    resolve: async (query, _root, { input }, { app, viewer, prisma }) => {
      const { userId, ...told } = input;
      const owner = userOf(viewer, userId);
      const given = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null));
      const id = await recordFact(app, owner, given);
      return prisma.fact.findUniqueOrThrow({ ...query, where: ofUser(owner, id) });
    },
  }),
);

builder.mutationField('pinFact', (t) =>
  t.prismaField({
    type: 'Fact',
    description: 'Lets a fact always be recalled, or no longer.',
    errors,
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
      factId: t.arg.id({ required: true, description: 'The `id` of the fact.' }),
      pinned: t.arg.boolean({ defaultValue: true, description: 'False takes the pin away.' }),
    },
    resolve: async (query, _root, { userId, factId, pinned }, { app, viewer, prisma }) => {
      const owner = userOf(viewer, userId);
      const id = localId('Fact', owner, factId);
      await pinFact(app, owner, id, pinned ?? true);
      return prisma.fact.findUniqueOrThrow({ ...query, where: ofUser(owner, id) });
    },
  }),
);

builder.mutationField('retractFact', (t) =>
  t.prismaField({
    type: 'Fact',
    description: 'Takes a fact back: it was never so. `restoreFact` undoes that.',
    errors,
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
      factId: t.arg.id({ required: true, description: 'The `id` of the fact.' }),
    },
    resolve: async (query, _root, { userId, factId }, { app, viewer, prisma }) => {
      const owner = userOf(viewer, userId);
      const id = localId('Fact', owner, factId);
      await retractFact(app, owner, id);
      return prisma.fact.findUniqueOrThrow({ ...query, where: ofUser(owner, id) });
    },
  }),
);

builder.mutationField('restoreFact', (t) =>
  t.prismaField({
    type: 'Fact',
    description:
      'Undoes a retraction: the fact holds again from when it held, up to what has begun since.',
    errors,
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
      factId: t.arg.id({ required: true, description: 'The `id` of the fact.' }),
    },
    resolve: async (query, _root, { userId, factId }, { app, viewer, prisma }) => {
      const owner = userOf(viewer, userId);
      const id = localId('Fact', owner, factId);
      await restoreFact(app, owner, id);
      return prisma.fact.findUniqueOrThrow({ ...query, where: ofUser(owner, id) });
    },
  }),
);
