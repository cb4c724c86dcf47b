import {
  IdempotencyConflict,
  InvalidInput,
  NotFound,
  ThreadClosed,
} from '../../domain/core/errors.ts';
import { DEFAULT_CHANNEL } from '../../domain/turns/channel.ts';
import type { RememberedTurn } from '../../remember/turns/outcome.ts';
import { remember } from '../../remember/turns/remember.ts';
import { builder } from '../core/builder.ts';
import { localId, userOf } from '../core/request-context.ts';
import { RoleEnum } from '../core/scalars.ts';
import { TurnNode, type TurnShape, withRelations } from './turn.ts';

const ToolCallInput = builder.inputType('ToolCallInput', {
  description: 'A tool that was called while the turn was made, with its outcome.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name of the tool, 1-200 characters.' }),
    ok: t.boolean({ required: true, description: 'Whether the call succeeded.' }),
    result: t.string({
      description: 'What the tool returned, as text, 1-100,000 characters.',
    }),
  }),
});

const TurnInput = builder.inputType('TurnInput', {
  description: 'One turn to store.',
  fields: (t) => ({
    text: t.string({
      required: true,
      description:
        'What was said, 1-1,000,000 characters, not blank. Keyword search covers the first 100,000. Of one turn, a model reads at ' +
        'most half as many tokens as REASONER_INPUT_TOKENS, the built-in rules mostly no more than 5,000 of the first 16,000 ' +
        'characters.',
    }),
    role: t.field({
      type: RoleEnum,
      defaultValue: 'USER',
      description:
        'Who said it: the user, an assistant, a tool, the application, or a third person.',
    }),
    speaker: t.string({ description: "The speaker's name, 1-100 characters." }),
    occurredAt: t.field({
      type: 'DateTime',
      description:
        'Event time: when it was said. Not before 1970, and at most five minutes ahead of the clock of the server. Defaults to now.',
    }),
    channel: t.string({
      description: 'The channel of this turn; by default `channel` of the whole input.',
    }),
    toolCalls: t.field({
      type: [ToolCallInput],
      description: 'Tool calls that were made during the turn, at most 50.',
    }),
    idempotencyKey: t.string({
      description:
        'A key that identifies this turn among all turns of the user, 1-200 characters. A turn sent again with the same key is ' +
        'not stored twice. If a different turn has the key, the call is refused with an `IdempotencyConflictError`.',
    }),
  }),
});

const NewThreadInput = builder.inputType('NewThreadInput', {
  description: 'A request for a new thread, which will be explicit.',
  fields: (t) => ({
    title: t.string({
      description: 'The title of the new thread, 1-200 characters, not blank; none by default.',
    }),
    inactivityTimeoutMinutes: t.int({
      description:
        'Minutes of inactivity after which the new thread becomes idle, 1-43200; by default EXPLICIT_IDLE_MINUTES, a setting of the deployment.',
    }),
  }),
});

const RememberInput = builder.inputType('RememberInput', {
  description:
    'Turns to store in one call. They go to the thread of `threadId`, or to a new one with `newThread`. With neither, inactivity ' +
    'decides for each turn, on implicit channels only, and one call may fill several threads.',
  fields: (t) => ({
    userId: t.string({
      description:
        "The application's own name for the user whose memory it is: 1-128 characters. A caller with an API key for all users must " +
        'give it; any other caller has one user only, the default. Storing anything for a new name creates the user.',
    }),
    channel: t.string({
      defaultValue: DEFAULT_CHANNEL,
      description:
        'The channel of the turns that name none of their own, such as "sms"; capitals make no difference. Without it, the ' +
        'channel "default", which is implicit unless a setting says otherwise.',
    }),
    threadId: t.id({
      description:
        'The `id` of the thread to add the turns to. Without it and without `newThread`, inactivity decides on an implicit ' +
        'channel such as sms; an explicit channel such as web needs one of the two (`newThread: {}` is enough).',
    }),
    newThread: t.field({
      type: NewThreadInput,
      description:
        'Opens a new thread for these turns; `{}` opens one without settings. Not together with `threadId`.',
    }),
    turns: t.field({
      type: [TurnInput],
      required: true,
      description:
        'The turns: 1-500. Each thread gets its turns in the order of their `occurredAt`; those of the same time in the given order.',
    }),
  }),
});

type RememberedShape = { status: RememberedTurn['status']; turn: TurnShape | null };

const RememberedTurnType = builder.objectRef<RememberedShape>('RememberedTurn').implement({
  description: 'What happened to one turn of the input.',
  fields: (t) => ({
    status: t.field({
      type: builder.enumType('RememberStatus', {
        description: 'Whether a turn was stored now, was stored before, or is forgotten.',
        values: {
          STORED: { description: 'It was stored by this call.' },
          ALREADY_STORED: {
            description:
              'A turn with the same idempotency key was stored before, or stands earlier in this call; `turn` is that one.',
          },
          FORGOTTEN: {
            description:
              'A turn with the same idempotency key was stored once and is forgotten; it stays forgotten, and nothing is stored.',
          },
        },
      }),
      description:
        'Whether the turn was stored now or, by its idempotency key, was stored before or is forgotten.',
      resolve: ({ status }) => status,
    }),
    turn: t.field({
      type: TurnNode,
      nullable: true,
      description: 'The stored turn; null if it was forgotten.',
      resolve: ({ turn }) => turn,
    }),
  }),
});

const RememberPayload = builder
  .objectRef<{ turns: RememberedShape[] }>('RememberPayload')
  .implement({
    description:
      'Confirmation that the turns, and the jobs that will process them, are stored durably.',
    fields: (t) => ({
      turns: t.expose('turns', {
        type: [RememberedTurnType],
        description: 'What happened to each turn, in the order of the input.',
      }),
    }),
  });

builder.mutationField('remember', (t) =>
  t.field({
    type: RememberPayload,
    description:
      'Stores turns of a conversation. When it answers, either all of them are stored durably, except forgotten ones, or none is. ' +
      'Most of what is derived from them follows in the background.',
    errors: { types: [InvalidInput, NotFound, ThreadClosed, IdempotencyConflict] },
    args: {
      input: t.arg({ type: RememberInput, required: true, description: 'The turns to store.' }),
    },
    resolve: async (_root, { input }, context, info) => {
      const { userId, threadId, ...rest } = input;
      const owner = userOf(context.viewer, userId, 'input.userId');
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

/** Returns the size of turns in characters. Tool calls, which may be large too, count as the JSON that is stored. */
export const sizeOf = (
  turns: readonly { text: string; toolCalls?: readonly object[] | null | undefined }[],
) =>
  turns.reduce(
    (sum, { text, toolCalls }) =>
      sum + text.length + (toolCalls ? JSON.stringify(toolCalls).length : 0),
    0,
  );
