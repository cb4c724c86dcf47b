import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { pinFact, recordFact, restoreFact, retractFact } from '../../remember/facts/edit-fact.ts';
import { builder } from '../core/builder.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { localId, userOf } from '../core/request-context.ts';
import { FactCategoryEnum, PolarityEnum } from './fact-enums.ts';

const RecordFactInput = builder.inputType('RecordFactInput', {
  description:
    'A fact to record by hand. From `validFrom` on it takes the place of what it contradicts, up to the next later fact about the same.',
  fields: (t) => ({
    userId: t.string({
      description: describeOwner('The user in whose memory the fact is recorded'),
    }),
    category: t.field({
      type: FactCategoryEnum,
      required: true,
      description: 'The category of the fact.',
    }),
    key: t.string({
      description:
        'What the fact is about, as in `Fact.key`: words joined by ":" and "_", such as "profile:city", 1-200 ' +
        'characters. Of facts under one key, the later replaces the earlier; without a key, only a contradiction with the same ' +
        'value is replaced.',
    }),
    value: t.string({
      required: true,
      description: 'The value that is affirmed or denied, 1-500 characters.',
    }),
    statement: t.string({
      description: 'The fact as one sentence, 1-1,000 characters; the value by default.',
    }),
    polarity: t.field({
      type: PolarityEnum,
      description: 'POSITIVE to affirm, NEGATIVE to deny. POSITIVE by default.',
    }),
    scope: t.string({
      description:
        'Where or when it applies, such as "at work", 1-200 characters; always by default.',
    }),
    importance: t.float({
      description: 'How much the fact matters to later answers, 0.2-1; 0.8 by default.',
    }),
    validFrom: t.field({
      type: 'DateTime',
      description:
        'Since when it has been true; now by default. With a time to come, recalls leave it out and give what it replaces until then.',
    }),
    pinned: t.boolean({
      description:
        'True to have it recalled with every answer. False, the default, leaves an existing pin in place.',
    }),
  }),
});

const ofUser = (userId: string, id: number) => ({ userId_id: { userId, id } });

const errors = { types: [InvalidInput, NotFound] };

builder.mutationField('recordFact', (t) =>
  t.prismaField({
    type: 'Fact',
    description:
      'Records a fact by hand. What it contradicts ends at its `validFrom` and stays on record. If the same is already ' +
      'believed, that fact is confirmed, or extended back to `validFrom`, and returned in its own words.',
    errors,
    args: {
      input: t.arg({ type: RecordFactInput, required: true, description: 'The fact to record.' }),
    },
    resolve: async (query, _root, { input }, { app, viewer, prisma }) => {
      const { userId, ...fields } = input;
      const owner = userOf(viewer, userId);
      const given = Object.fromEntries(
        Object.entries(fields).filter(([, value]) => value !== null),
      );
      const id = await recordFact(app, owner, given);
      return prisma.fact.findUniqueOrThrow({ ...query, where: ofUser(owner, id) });
    },
  }),
);

builder.mutationField('pinFact', (t) =>
  t.prismaField({
    type: 'Fact',
    description:
      'Pins a fact, so that it is recalled with every answer while it is active, or removes the pin.',
    errors,
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose fact is pinned or unpinned'),
      }),
      factId: t.arg.id({ required: true, description: 'The `id` of the fact to pin.' }),
      pinned: t.arg.boolean({
        defaultValue: true,
        description: 'True to pin, false to remove the pin.',
      }),
    },
    resolve: async (query, _root, { userId, factId, pinned }, { app, viewer, prisma }) => {
      const owner = userOf(viewer, userId);
      const id = localId('Fact', owner, factId);
      await pinFact(app, owner, { id, pinned: pinned ?? true });
      return prisma.fact.findUniqueOrThrow({ ...query, where: ofUser(owner, id) });
    },
  }),
);

builder.mutationField('retractFact', (t) =>
  t.prismaField({
    type: 'Fact',
    description:
      'Retracts a fact: it was never true. What it had ended holds again, up to the end of the retracted fact, or to the ' +
      'beginning of the next believed fact under the same key if that is earlier. `restoreFact` undoes the retraction.',
    errors,
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose fact is retracted'),
      }),
      factId: t.arg.id({ required: true, description: 'The `id` of the fact to retract.' }),
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
      'Undoes a retraction: the fact is believed again, from its `validFrom` until the next fact under its key begins. A fact under ' +
      'that key that was true at this `validFrom` ends there. Refused if another fact that is true at that time says ' +
      'the same. Changes nothing if it is not retracted.',
    errors,
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose retracted fact is restored'),
      }),
      factId: t.arg.id({ required: true, description: 'The `id` of the fact to restore.' }),
    },
    resolve: async (query, _root, { userId, factId }, { app, viewer, prisma }) => {
      const owner = userOf(viewer, userId);
      const id = localId('Fact', owner, factId);
      await restoreFact(app, owner, id);
      return prisma.fact.findUniqueOrThrow({ ...query, where: ofUser(owner, id) });
    },
  }),
);
