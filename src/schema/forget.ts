import type { ForgetTarget, Forgotten } from '../db/forget.ts';
import { InvalidInput, NotFound } from '../domain/errors.ts';
import { forget } from '../remember/forget.ts';
import { builder } from './builder.ts';
import { localId, userOf } from './request-context.ts';

const ForgetInput = builder.inputType('ForgetInput', {
  description: 'What to erase: exactly one of these.',
  isOneOf: true,
  fields: (t) => ({
    everythingOf: t.string({ description: 'A user, by name: the whole memory.' }),
    threadId: t.id({ description: 'A thread with its turns.' }),
    turnId: t.id({ description: 'One turn.' }),
    factId: t.id({ description: 'One fact; the turns that it comes from stay.' }),
    episodeId: t.id({
      description:
        'An episode with its turns, and what was merged into it; a PRIMARY is its whole thread, a CROSS_THREAD all its threads.',
    }),
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
    vectors: t.exposeInt('vectors', {
      description: 'Vectors, of turns, episodes and semantic memories.',
    }),
    episodes: t.exposeInt('episodes', {
      description: 'Episodes; they are made anew from what is left of their threads.',
    }),
    skills: t.exposeInt('skills', { description: 'Skills found in them.' }),
    reviews: t.exposeInt('reviews', {
      description:
        'Reviews of them, and those that their talk had given to other episodes, which fade as if it had not.',
    }),
    facts: t.exposeInt('facts', {
      description: 'Facts that nothing else tells; what they had ended holds again.',
    }),
    semanticMemories: t.exposeInt('semanticMemories', {
      description: 'Semantic memories; they are made anew from what is left of their episodes.',
    }),
    links: t.exposeInt('links', {
      description:
        'Decisions about these threads and others; threads of which something is left are judged anew.',
    }),
    profiles: t.exposeInt('profiles', {
      description: 'Versions of the profile that were made of them.',
    }),
  }),
});

function targetOf(owner: string, input: typeof ForgetInput.$inferInput): ForgetTarget {
  const { threadId, turnId, episodeId, factId } = input;
  if (factId != null) return { kind: 'fact', factId: localId('Fact', owner, factId) };
  if (threadId != null) return { kind: 'thread', threadId: localId('Thread', owner, threadId) };
  if (turnId != null) return { kind: 'turn', turnId: localId('Turn', owner, turnId) };
  return { kind: 'episode', episodeId: localId('Episode', owner, episodeId ?? '') };
}

builder.mutationField('forget', (t) =>
  t.field({
    type: Counts,
    description:
      'Erases for good, with everything derived from it. Nothing brings it back, a repeated delivery neither.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({
        description: 'Under an API key: whose memory a thread, turn or episode is of.',
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
