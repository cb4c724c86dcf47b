import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { pinFact, recordFact, restoreFact, retractFact } from '../../remember/facts/edit-fact.ts';
import { builder } from '../core/builder.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { localId, userOf } from '../core/request-context.ts';
import { FactCategoryEnum, PolarityEnum } from './fact-enums.ts';

const RecordFactInput = builder.inputType('RecordFactInput', {
  description:
    'A fact to record by hand. At `validFrom` it replaces the facts that are true then and contradict it. It ends when the ' +
    'replaced fact would have ended or the next fact under its key begins, whichever is first; if there is neither, it has no end.',
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
        'What the fact is about, as in `Fact.key`: words joined by ":" and "_", such as ' +
        '"profile:city", 1-200 characters; capitals make no difference. Only one fact under a key is ' +
        'true at a time. Without a key, the fact replaces only a fact of the same category and value that has the other polarity ' +
        'or a key.',
    }),
    value: t.string({
      required: true,
      description: 'The value that is affirmed or denied, 1-500 characters.',
    }),
    statement: t.string({
      description:
        'The fact as one sentence, 1-1,000 characters, which answers show. If the fact is NEGATIVE, the sentence should say the ' +
        'denial, too. By default the `value`, after "not" if it is denied.',
    }),
    polarity: t.field({
      type: PolarityEnum,
      description:
        'POSITIVE to affirm the `value`, NEGATIVE to deny or dislike it. POSITIVE by default.',
    }),
    scope: t.string({
      description:
        'Where or when the fact applies, such as "at work", 1-200 characters. Without it, the fact applies always.',
    }),
    importance: t.float({
      description:
        'How much the fact matters to later answers, 0.2-1; 0.8 by default. Without effect on a fact that is already believed.',
    }),
    validFrom: t.field({
      type: 'DateTime',
      description:
        'Since when the fact is true; now by default. If the time is in the future, recalls leave the fact out until 5 minutes ' +
        'before it, and until then give the facts that will be replaced.',
    }),
    pinned: t.boolean({
      description:
        'True to pin the fact, as with `pinFact`. False, the default, does not unpin a fact that is already believed.',
    }),
  }),
});

const ofUser = (userId: string, id: number) => ({ userId_id: { userId, id } });

const errors = { types: [InvalidInput, NotFound] };

builder.mutationField('recordFact', (t) =>
  t.prismaField({
    type: 'Fact',
    description:
      'Records a fact by hand. A fact that contradicts it and is true at its `validFrom` ends then and stays on record. If a fact ' +
      'with the same key, value and polarity is believed to be true then, or to begin just when the new one would end, none is ' +
      'added: that one is confirmed, or extended back to `validFrom`, takes the words given, and stays when turns that state it ' +
      'are forgotten.',
    errors,
    args: {
      input: t.arg({ type: RecordFactInput, required: true, description: 'The fact to record.' }),
    },
    resolve: async (query, _root, { input }, { app, viewer, prisma }) => {
      const { userId, ...fields } = input;
      const owner = userOf(viewer, userId, 'input.userId');
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
      'Pins a fact, so that `recall` and `context` give it whatever the query while it is active, or removes the pin.',
    errors,
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose fact is pinned or unpinned'),
      }),
      factId: t.arg.id({ required: true, description: 'The `id` of the fact to pin or unpin.' }),
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
      'Retracts a fact: from now on it is believed never to have been true. If it had replaced a fact, that one is true again, ' +
      'up to the end of the retracted fact or the beginning of the next believed fact under its key, whichever is earlier. ' +
      'What was refused because of it is read again. `restoreFact` undoes the retraction.',
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
      'Undoes a retraction: the fact is believed again, from its `validFrom` until the next fact under its key begins. If another ' +
      'fact under that key is true at this `validFrom`, that one ends at that moment; but if it says the same, the call is refused. ' +
      'If the fact is not retracted, nothing changes.',
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
