import { ASKED_TURNS } from '../../domain/threads/window.ts';
import { EXCERPT_OF } from '../../domain/turns/turn.ts';
import type { PromptContext } from '../../recall/prompt/prompt-context.ts';
import { builder } from '../core/builder.ts';
import { loadersOf } from '../core/loaders.ts';
import { ThreadNode } from '../threads/thread.ts';

type Related = PromptContext['related'][number] & { userId: string };

const CHARACTERS = `its first ${EXCERPT_OF.toLocaleString('en')} characters at most`;

const Exchange = builder.objectRef<Related['exchanges'][number]>('Exchange').implement({
  description: `A turn of the user with a question mark in its first ${EXCERPT_OF.toLocaleString('en')} characters, and the answer it got.`,
  fields: (t) => ({
    question: t.exposeString('question', {
      description: `The text of the turn that asks: ${CHARACTERS}.`,
    }),
    answer: t.exposeString('answer', {
      nullable: true,
      description:
        'The text of the first turn by an assistant or another person among the next two turns: ' +
        `${CHARACTERS}; null if there is none.`,
    }),
  }),
});

export const RelatedThread = builder.objectRef<Related>('RelatedThread').implement({
  description:
    'An earlier thread that matters to the message, because it is linked or because it is recent.',
  fields: (t) => ({
    thread: t.field({
      type: ThreadNode,
      nullable: true,
      description: 'The earlier thread; null if it was forgotten in the meantime.',
      resolve: ({ userId, id }, _args, context, info) =>
        loadersOf(context).threads.load({ userId, id, info }),
    }),
    linked: t.exposeBoolean('linked', {
      description:
        'True if it belongs to the same cross-thread episode as `ContextPayload.thread` or, where that is null or belongs to ' +
        'none, to the cross-thread episode of the recent thread before the message (which may be this thread itself). False if ' +
        'it is only recent.',
    }),
    exchanges: t.expose('exchanges', {
      type: [Exchange],
      description: `The last questions among the last ${ASKED_TURNS} turns of that thread with their answers, oldest first; at most 3.`,
    }),
  }),
});

export const Continuity = builder
  .objectRef<NonNullable<PromptContext['continuity']>>('Continuity')
  .implement({
    description:
      'How the message continues an earlier thread, the first of `ContextPayload.related`, in words for a prompt.',
    fields: (t) => ({
      line: t.exposeString('line', {
        nullable: true,
        description:
          'A sentence such as "You were asking about …"; null while the earlier thread has neither a topic nor a title.',
      }),
      pause: t.exposeString('pause', {
        nullable: true,
        description:
          'A remark on the time from the end of the earlier thread to the start of `ContextPayload.thread` (or to `asOf`, without ' +
          'one), such as "Continuing from previous thread after 30 min break"; null for less than a minute.',
      }),
    }),
  });
