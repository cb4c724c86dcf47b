import type { ForgetTarget } from '../../db/forget/forget.ts';
import type { Forgotten } from '../../db/kinds/erase.ts';
import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { forget } from '../../remember/operations/forget.ts';
import { builder } from '../core/builder.ts';
import { localId, userOf } from '../core/request-context.ts';

const ForgetInput = builder.inputType('ForgetInput', {
  description: 'What to erase: exactly one of these fields.',
  isOneOf: true,
  fields: (t) => ({
    everythingOf: t.string({
      description: "A user by the application's name: the whole memory is erased.",
    }),
    threadId: t.id({ description: 'A thread with all its turns.' }),
    turnId: t.id({ description: 'A single turn.' }),
    factId: t.id({ description: 'A single fact; the turns that state it are kept.' }),
    episodeId: t.id({
      description:
        'An episode with its turns and everything merged into it. For PRIMARY that is the whole thread, for CROSS_THREAD all its threads.',
    }),
  }),
});

const Counts = builder.objectRef<Forgotten>('ForgottenCounts').implement({
  description: 'How many rows were erased for good.',
  fields: (t) => ({
    threads: t.exposeInt('threads', {
      description: 'Threads that were erased, including those that lost their last turn.',
    }),
    turns: t.exposeInt('turns', { description: 'Turns that were erased, with their text.' }),
    postings: t.exposeInt('postings', {
      description: 'Entries that were erased from the keyword index.',
    }),
    vectors: t.exposeInt('vectors', {
      description: 'Vectors that were erased, of all kinds of memory.',
    }),
    episodes: t.exposeInt('episodes', {
      description:
        'Episodes that were erased or lost their texts; they are made again from what is left of their threads.',
    }),
    skills: t.exposeInt('skills', { description: 'Skills that were erased with their episodes.' }),
    reviews: t.exposeInt('reviews', {
      description:
        'Reviews that were erased: those of the episodes, and those that their turns had caused for others, whose FSRS state is computed again without them.',
    }),
    facts: t.exposeInt('facts', {
      description:
        'Facts that no remaining turn states. Facts that they had superseded are true again.',
    }),
    semanticMemories: t.exposeInt('semanticMemories', {
      description:
        'Semantic memories that were erased; they are rebuilt from what is left of their episodes.',
    }),
    links: t.exposeInt('links', {
      description: 'Links that were erased; threads that still have turns are assessed again.',
    }),
    profiles: t.exposeInt('profiles', {
      description:
        'Profile versions that were erased because they were derived from what is forgotten.',
    }),
  }),
});

function targetOf(owner: string, input: typeof ForgetInput.$inferInput): ForgetTarget {
  const { threadId, turnId, episodeId, factId } = input;
  if (factId != null) return { kind: 'fact', id: localId('Fact', owner, factId) };
  if (threadId != null) return { kind: 'thread', id: localId('Thread', owner, threadId) };
  if (turnId != null) return { kind: 'turn', id: localId('Turn', owner, turnId) };
  return { kind: 'episode', id: localId('Episode', owner, episodeId ?? '') };
}

builder.mutationField('forget', (t) =>
  t.field({
    type: Counts,
    description:
      'Erases something for good, together with everything derived from it. Turns that are sent again with the ' +
      'same idempotency keys stay forgotten.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({
        description:
          'Whose thread, turn, fact or episode it is. Required with an API key, except with `everythingOf`.',
      }),
      input: t.arg({ type: ForgetInput, required: true, description: 'What to erase.' }),
    },
    resolve: (_root, { userId, input }, { app, viewer }) => {
      if (input.everythingOf != null) {
        return forget(app, userOf(viewer, input.everythingOf), { kind: 'user' });
      }
      const owner = userOf(viewer, userId);
      return forget(app, owner, targetOf(owner, input));
    },
  }),
);
