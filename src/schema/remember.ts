import { IdempotencyConflict, InvalidInput, NotFound, ThreadClosed } from '../domain/errors.ts';
import { MAX_IMPORT } from '../domain/turn.ts';
import { importConversation } from '../remember/import-conversation.ts';
import { type RememberedTurn, remember } from '../remember/remember.ts';
import { builder } from './builder.ts';
import { localId, userOf } from './request-context.ts';
import { RoleEnum } from './scalars.ts';
import { TurnNode, type TurnShape, withRelations } from './turn.ts';

const ToolCallInput = builder.inputType('ToolCallInput', {
  description: 'A tool that was called while a turn was made.',
  fields: (t) => ({
    name: t.string({ required: true, description: "The tool's name." }),
    ok: t.boolean({ required: true, description: 'Whether it succeeded.' }),
    result: t.string({ description: 'What it returned, as text.' }),
  }),
});

const TurnInput = builder.inputType('TurnInput', {
  description: 'One utterance to remember.',
  fields: (t) => ({
    text: t.string({
      required: true,
      description: 'The words, 1-1,000,000 characters; the first 100,000 are searched and read.',
    }),
    role: t.field({ type: RoleEnum, defaultValue: 'USER', description: 'Who said it.' }),
    speaker: t.string({ description: "The speaker's name, at most 100 characters." }),
    occurredAt: t.field({
      type: 'DateTime',
      description: 'When it was said: not before 1970, not in the future. Now if left out.',
    }),
    channel: t.string({ description: "Where it came from, if not the call's channel." }),
    toolCalls: t.field({ type: [ToolCallInput], description: 'At most 50.' }),
    idempotencyKey: t.string({
      description:
        'The same key always means the same turn: sent again, it is not stored again. At most 200 characters, unique per user.',
    }),
  }),
});

const NewThreadInput = builder.inputType('NewThreadInput', {
  description: 'Asks for a new thread.',
  fields: (t) => ({
    title: t.string({ description: 'Its title, at most 200 characters.' }),
    inactivityTimeoutMinutes: t.int({ description: 'Its own timeout, 1-43200 minutes.' }),
  }),
});

const RememberInput = builder.inputType('RememberInput', {
  description: 'Turns to remember.',
  fields: (t) => ({
    userId: t.string({ description: 'Under an API key: whose memory, 1-128 characters.' }),
    channel: t.string({
      required: true,
      description: 'Where they came from, such as "sms" or "web".',
    }),
    threadId: t.id({
      description:
        'The thread they belong to. Left out, an implicit channel such as sms decides by inactivity; an explicit one such as web needs this or `newThread`.',
    }),
    newThread: t.field({
      type: NewThreadInput,
      description: 'Asks for a new thread for these turns.',
    }),
    turns: t.field({ type: [TurnInput], required: true, description: '1-500 turns.' }),
  }),
});

type RememberedShape = { status: RememberedTurn['status']; turn: TurnShape | null };

const RememberedTurnType = builder.objectRef<RememberedShape>('RememberedTurn').implement({
  description: 'What became of one turn of the input.',
  fields: (t) => ({
    status: t.field({
      type: builder.enumType('RememberStatus', {
        description: 'What became of a turn.',
        values: {
          STORED: { description: 'It is stored now.' },
          ALREADY_STORED: {
            description: 'Its idempotency key was sent before; `turn` is the stored one.',
          },
          FORGOTTEN: { description: 'It was stored once and has been forgotten; it stays so.' },
        },
      }),
      description: 'What became of it.',
      resolve: ({ status }) => status,
    }),
    turn: t.field({
      type: TurnNode,
      nullable: true,
      description: 'The stored turn; null if forgotten.',
      resolve: ({ turn }) => turn,
    }),
  }),
});

const RememberPayload = builder
  .objectRef<{ turns: RememberedShape[] }>('RememberPayload')
  .implement({
    description: 'The turns are stored, with the work that will be done on them.',
    fields: (t) => ({
      turns: t.expose('turns', {
        type: [RememberedTurnType],
        description: 'What became of each turn, in the order of the input.',
      }),
    }),
  });

builder.mutationField('remember', (t) =>
  t.field({
    type: RememberPayload,
    description:
      'Keeps turns of a conversation. When it answers, they are stored for good; all or none of them.',
    errors: { types: [InvalidInput, NotFound, ThreadClosed, IdempotencyConflict] },
    args: { input: t.arg({ type: RememberInput, required: true, description: 'The turns.' }) },
    resolve: async (_root, { input }, context, info) => {
      const { userId, threadId, ...rest } = input;
      const owner = userOf(context.viewer, userId);
      const thread = threadId != null ? localId('Thread', owner, threadId) : null;
      const results = await context.answer.write(sizeOf(rest.turns), () =>
        remember(context.app, { userId: owner, threadId: thread, input: rest }),
      );
      const stored = results.flatMap(({ turn }) => turn ?? []);
      const turns = await withRelations(context, info, ['turns', 'turn'], owner, stored);
      return {
        turns: results.map(({ status, turn }) => ({
          status,
          turn: turn ? (turns.get(turn.id) ?? null) : null,
        })),
      };
    },
  }),
);

/** Characters of turns; tool calls, which may be large too, count as the JSON that they are stored as. */
const sizeOf = (
  turns: readonly { text: string; toolCalls?: readonly object[] | null | undefined }[],
) =>
  turns.reduce(
    (sum, { text, toolCalls }) =>
      sum + text.length + (toolCalls ? JSON.stringify(toolCalls).length : 0),
    0,
  );

const ImportedTurnInput = builder.inputType('ImportedTurnInput', {
  description: 'One utterance of a conversation to import.',
  fields: (t) => ({
    speaker: t.string({ required: true, description: 'Who said it, by name.' }),
    text: t.string({
      required: true,
      description: 'The words, 1-1,000,000 characters; the first 100,000 are searched and read.',
    }),
    occurredAt: t.field({ type: 'DateTime', required: true, description: 'When it was said.' }),
  }),
});

const ConversationInput = builder.inputType('ConversationInput', {
  description: 'A conversation of the past that is a thread of its own.',
  fields: (t) => ({
    id: t.string({
      required: true,
      description: 'Its id in the place that it comes from, at most 100 characters.',
    }),
    title: t.string({ description: "The thread's title, at most 200 characters." }),
  }),
});

const ImportInput = builder.inputType('ImportConversationInput', {
  description: 'A conversation of the past, of any number of speakers.',
  fields: (t) => ({
    userId: t.string({ description: 'Under an API key: whose memory.' }),
    self: t.string({ required: true, description: 'Which speaker is the user.' }),
    others: t.field({
      type: RoleEnum,
      defaultValue: 'OTHER',
      description: 'What the other speakers are: OTHER or ASSISTANT.',
    }),
    channel: t.string({ defaultValue: 'import', description: 'Where it took place.' }),
    conversation: t.field({
      type: ConversationInput,
      description:
        'Makes one thread of all turns, whatever their times; left out, inactivity decides. Sent in several calls, each must begin with a turn of an earlier one.',
    }),
    turns: t.field({
      type: [ImportedTurnInput],
      required: true,
      description: `1-${MAX_IMPORT.toLocaleString('en')} turns.`,
    }),
  }),
});

const ImportPayload = builder
  .objectRef<{ stored: number; alreadyStored: number; forgotten: number }>('ImportPayload')
  .implement({
    description: 'What became of an import.',
    fields: (t) => ({
      stored: t.exposeInt('stored', { description: 'Turns stored now.' }),
      alreadyStored: t.exposeInt('alreadyStored', {
        description: 'Turns that were imported before.',
      }),
      forgotten: t.exposeInt('forgotten', {
        description: 'Turns that were forgotten and stay so.',
      }),
    }),
  });

builder.mutationField('importConversation', (t) =>
  t.field({
    type: ImportPayload,
    description:
      'Keeps a conversation of the past, in its own time. Sent again, nothing is stored twice: after a failure, just send it again.',
    errors: { types: [InvalidInput, NotFound, ThreadClosed] },
    args: { input: t.arg({ type: ImportInput, required: true, description: 'The conversation.' }) },
    resolve: (_root, { input: { userId, ...input } }, { app, viewer, answer }) => {
      const owner = userOf(viewer, userId);
      return answer.write(sizeOf(input.turns), () => importConversation(app, owner, input));
    },
  }),
);
