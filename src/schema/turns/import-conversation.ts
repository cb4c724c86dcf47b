import { InvalidInput, NotFound, ThreadClosed } from '../../domain/core/errors.ts';
import { MAX_IMPORT } from '../../domain/turns/turn.ts';
import { importConversation } from '../../remember/turns/import-conversation.ts';
import { builder } from '../core/builder.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { userOf } from '../core/request-context.ts';
import { RoleEnum } from '../core/scalars.ts';
import { sizeOf } from './remember.ts';

const ImportedTurnInput = builder.inputType('ImportedTurnInput', {
  description: 'One turn of a conversation to import.',
  fields: (t) => ({
    speaker: t.string({
      required: true,
      description: 'The name of the speaker, 1-100 characters.',
    }),
    text: t.string({
      required: true,
      description:
        'The text of the turn, 1-1,000,000 characters. Keyword search covers the first 100,000, and a model may read them; the ' +
        'built-in rules, which do without a model, mostly read no more than 5,000 of the first 16,000.',
    }),
    occurredAt: t.field({
      type: 'DateTime',
      required: true,
      description:
        'Event time of the turn: when it was said. Not before 1970, and at most five minutes ahead of the clock of the server.',
    }),
  }),
});

const ConversationInput = builder.inputType('ConversationInput', {
  description: 'An identity for an imported conversation that is to become exactly one thread.',
  fields: (t) => ({
    id: t.string({
      required: true,
      description: "The conversation's id in the system it was exported from, 1-100 characters.",
    }),
    title: t.string({
      description:
        'The title for the thread, 1-200 characters. If further calls add to the same conversation, the title of the first call stays.',
    }),
  }),
});

const ImportInput = builder.inputType('ImportConversationInput', {
  description: 'A past conversation to import, with any number of speakers.',
  fields: (t) => ({
    userId: t.string({
      description: describeOwner('The user into whose memory the conversation is imported'),
    }),
    self: t.string({
      required: true,
      description:
        'The name, exactly as in `speaker`, of the speaker who is the user. At least one turn must be theirs.',
    }),
    others: t.field({
      type: RoleEnum,
      defaultValue: 'OTHER',
      description: 'The role of all other speakers: OTHER or ASSISTANT.',
    }),
    channel: t.string({
      defaultValue: 'import',
      description:
        'The channel on which the conversation took place, such as "whatsapp". Even on an explicit ' +
        'channel, the turns are placed by their times, unless `conversation` is given: in implicit threads that exist, even of ' +
        'other channels and imports, and after inactivity in new ones.',
    }),
    conversation: t.field({
      type: ConversationInput,
      description:
        'Makes all turns one thread, whatever their times; without it, inactivity divides them. A conversation that is sent in several ' +
        'calls stays one thread only if each further call includes a turn that an earlier call stored.',
    }),
    turns: t.field({
      type: [ImportedTurnInput],
      required: true,
      description: `The turns of the conversation, in any order: 1-${MAX_IMPORT.toLocaleString('en')}.`,
    }),
  }),
});

const ImportPayload = builder
  .objectRef<{ stored: number; alreadyStored: number; forgotten: number }>('ImportPayload')
  .implement({
    description:
      'How many turns of an import were stored now, were stored before, or are forgotten.',
    fields: (t) => ({
      stored: t.exposeInt('stored', { description: 'Turns that this call stored.' }),
      alreadyStored: t.exposeInt('alreadyStored', {
        description: 'Turns that an earlier call had already stored.',
      }),
      forgotten: t.exposeInt('forgotten', {
        description: 'Turns that were stored once and forgotten since; they stay forgotten.',
      }),
    }),
  });

builder.mutationField('importConversation', (t) =>
  t.field({
    type: ImportPayload,
    description:
      'Imports a past conversation. What is derived from it is dated by `occurredAt` of its turns. If a call fails, some turns may ' +
      'be stored already: repeat it. A turn with the same channel, conversation, speaker, time and text as one of an earlier call is not stored again.',
    errors: { types: [InvalidInput, NotFound, ThreadClosed] },
    args: {
      input: t.arg({
        type: ImportInput,
        required: true,
        description: 'The conversation to import.',
      }),
    },
    resolve: (_root, { input: { userId, ...input } }, { app, viewer, answer }) => {
      const owner = userOf(viewer, userId, 'input.userId');
      return answer.write(sizeOf(input.turns), () => importConversation(app, owner, input));
    },
  }),
);
