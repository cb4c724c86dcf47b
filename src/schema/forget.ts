import { InvalidInput, NotFound } from '../domain/errors.ts';
import { type Forgotten, forget } from '../remember/forget.ts';
import { builder } from './builder.ts';
import { localId, userOf } from './request-context.ts';

const ForgetInput = builder.inputType('ForgetInput', {
  description: 'What to erase: exactly one of the three.',
  isOneOf: true,
  fields: (t) => ({
    everythingOf: t.string({ description: 'A user, by name: the whole memory.' }),
    threadId: t.id({ description: 'A thread with its turns.' }),
    turnId: t.id({ description: 'One turn.' }),
  }),
});

const Counts = builder.objectRef<Forgotten>('ForgottenCounts').implement({
  description: 'How many rows are gone for good.',
  fields: (t) => ({
    threads: t.exposeInt('threads', {
      description: 'Threads, those that lost their last turn included.',
    }),
    turns: t.exposeInt('turns', { description: 'Turns, word for word.' }),
    postings: t.exposeInt('postings', { description: 'Entries of the keyword index.' }),
    vectors: t.exposeInt('vectors', { description: 'Vectors.' }),
    episodes: t.exposeInt('episodes', {
      description: 'Episodes; they are made anew from what is left of their threads.',
    }),
  }),
});

builder.mutationField('forget', (t) =>
  t.field({
    type: Counts,
    description:
      'Erases for good, with everything derived from it. Nothing brings it back, a repeated delivery neither.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({
        description: 'Under an API key: whose memory a thread or turn is of.',
      }),
      input: t.arg({ type: ForgetInput, required: true, description: 'What to erase.' }),
    },
    resolve: (_root, { userId, input }, { app, viewer }) => {
      if (input.everythingOf != null) {
        return forget(app, userOf(viewer, input.everythingOf), { kind: 'user' });
      }
      const owner = userOf(viewer, userId);
      return forget(
        app,
        owner,
        input.threadId != null
          ? { kind: 'thread', threadId: localId('Thread', owner, input.threadId) }
          : { kind: 'turn', turnId: localId('Turn', owner, input.turnId ?? '') },
      );
    },
  }),
);
