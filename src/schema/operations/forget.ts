import type { ForgetTarget } from '../../db/forget/forget.ts';
import type { PreviewItem } from '../../db/forget/preview.ts';
import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import type { Previewed } from '../../domain/core/previewed.ts';
import { forget } from '../../remember/operations/forget.ts';
import {
  type ForgetPreview,
  MOST_ITEMS,
  previewForget,
} from '../../remember/operations/preview-forget.ts';
import { builder } from '../core/builder.ts';
import { globalIdOf } from '../core/global-id.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { localId, userOf } from '../core/request-context.ts';

const ForgetInput = builder.inputType('ForgetInput', {
  description: 'What to erase: exactly one of these fields.',
  isOneOf: true,
  fields: (t) => ({
    everythingOf: t.string({
      description:
        'A user, by the name that the application uses. The whole memory is erased, with its settings, earlier events and ' +
        'model usage. The user stays known, with no turns, and API keys stay valid.',
    }),
    threadId: t.id({ description: 'The `id` of a thread, which is erased with all its turns.' }),
    turnId: t.id({ description: 'The `id` of a single turn.' }),
    factId: t.id({
      description:
        'The `id` of a single fact. The turns that state it are kept, but the fact is not read again from them. Nor is the same (key, ' +
        'value and polarity) from other turns that were said before the forget, unless the turns that state it are forgotten, ' +
        'too. If a later turn states it, it is learned again.',
    }),
    episodeId: t.id({
      description:
        'The `id` of an episode, which is erased with its turns and those of all segments merged into it. For PRIMARY that ' +
        'is the whole thread, for CROSS_THREAD all its threads.',
    }),
  }),
});

const NODES = {
  THREAD: 'Thread',
  TURN: 'Turn',
  EPISODE: 'Episode',
  FACT: 'Fact',
  SEMANTIC_MEMORY: 'SemanticMemory',
} as const satisfies Record<Previewed, string>;

const PreviewedEnum = builder.enumType('ForgetItemKind', {
  description: 'What kind of thing an item in the preview of a forget is.',
  values: {
    THREAD: {
      description: 'A thread that would be erased, since none of its turns would be left.',
    },
    TURN: { description: 'A turn that would be erased.' },
    EPISODE: {
      description: 'An episode that has a summary and would be erased, or would lose the summary.',
    },
    FACT: {
      description:
        'A fact that would be erased: the one that was asked for, or one that no remaining turn fully states.',
    },
    SEMANTIC_MEMORY: {
      description:
        'A semantic memory that has a summary and would be erased, or would lose the summary.',
    },
  } satisfies Record<Previewed, { description: string }>,
});

const ItemType = builder.objectRef<PreviewItem & { userId: string }>('ForgetItem').implement({
  description:
    'One thing that a previewed forget would erase, or an episode or semantic memory that would lose its summary.',
  fields: (t) => ({
    kind: t.expose('kind', {
      type: PreviewedEnum,
      description: 'Whether the item is a thread, a turn, an episode, a fact or a semantic memory.',
    }),
    id: t.id({
      description: 'Global id of the item, for `node`, valid until the item is forgotten.',
      resolve: ({ kind, userId, id }) => globalIdOf(NODES[kind], userId, id),
    }),
    at: t.expose('at', {
      type: 'DateTime',
      description:
        'For a turn, when it was said; for a fact, when it became true; for a thread, its `lastActivityAt`; for an episode or a ' +
        'semantic memory, when its last turn was said.',
    }),
    line: t.exposeString('line', {
      description:
        'One line that identifies the item, at most 160 characters: its title, summary, statement or first words. For a ' +
        'thread without a title, its channels and number of turns, such as "sms, 12 turns".',
    }),
  }),
});

type CountsShape = ForgetPreview & { isPreview: boolean; userId: string };

const Counts = builder.objectRef<CountsShape>('ForgottenCounts').implement({
  description: 'How much was erased for good; with `preview`, how much would be.',
  fields: (t) => ({
    isPreview: t.exposeBoolean('isPreview', {
      description: 'True if nothing was erased, because only a preview was asked for.',
    }),
    items: t.field({
      type: [ItemType],
      description:
        `With \`preview\`, up to ${MOST_ITEMS} things that would be erased or lose their summary: the earliest of each kind, ` +
        'by kind, then time. Empty without it.',
      resolve: ({ items, userId }) => items.map((item) => ({ ...item, userId })),
    }),
    threads: t.exposeInt('threads', {
      description: 'Threads that were erased, including those of which no turn is left.',
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
        'Episodes that were erased, or that lost their title and summary. Lost texts are written again from what is left of the threads.',
    }),
    skills: t.exposeInt('skills', {
      description:
        'Skills that were erased because their episode was erased, or lost its texts and is to be summarised again.',
    }),
    reviews: t.exposeInt('reviews', {
      description:
        'Erased reviews: those of segments that were erased or lost their texts, and those that erased turns had caused for ' +
        'other episodes. The FSRS state of these other episodes is computed again.',
    }),
    facts: t.exposeInt('facts', {
      description:
        'Facts that were erased: the one that was asked for, or those that no remaining turn fully states. A fact that one of ' +
        'them had superseded holds again, until the next remaining fact takes its place.',
    }),
    semanticMemories: t.exposeInt('semanticMemories', {
      description:
        'Semantic memories that were erased, or that lost their summary. A lost summary is written again from the episodes that are left.',
    }),
    links: t.exposeInt('links', {
      description:
        'Link decisions that were erased with one of their threads. If a thread lost only some of its turns, its other ' +
        'decisions lose their `reasoning`, and an `outcome` that may rest on the forgotten turns; those without a known outcome are ' +
        'reconsidered.',
    }),
    profiles: t.exposeInt('profiles', {
      description:
        'Profile versions that were erased because they were derived from what is forgotten.',
    }),
  }),
});

type Input = typeof ForgetInput.$inferInput;

function targetOf(owner: string, input: Input): ForgetTarget {
  const { everythingOf, threadId, turnId, episodeId, factId } = input;
  if (everythingOf != null) return { kind: 'user' };
  if (factId != null) return { kind: 'fact', id: localId('Fact', owner, factId) };
  if (threadId != null) return { kind: 'thread', id: localId('Thread', owner, threadId) };
  if (turnId != null) return { kind: 'turn', id: localId('Turn', owner, turnId) };
  return { kind: 'episode', id: localId('Episode', owner, episodeId ?? '') };
}

builder.mutationField('forget', (t) =>
  t.field({
    type: Counts,
    description:
      'Erases something for good, together with everything derived from it. Forgotten turns that are sent again with the ' +
      'same idempotency keys are not stored again. An API key needs access ALL, even for a preview.',
    authScopes: { erase: true },
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({
        description: describeOwner(
          'The user whose thread, turn, fact or episode is erased',
          '`everythingOf` names the user',
        ),
      }),
      input: t.arg({ type: ForgetInput, required: true, description: 'What to erase.' }),
      preview: t.arg.boolean({
        defaultValue: false,
        description:
          'True to erase nothing and only return what would be erased: the counts, and `items`.',
      }),
    },
    resolve: async (_root, { userId, input, preview }, { app, viewer }) => {
      const owner =
        input.everythingOf != null
          ? userOf(viewer, input.everythingOf, 'input.everythingOf')
          : userOf(viewer, userId);
      const target = targetOf(owner, input);
      const gone = preview
        ? await previewForget(app, owner, target)
        : { ...(await forget(app, owner, target)), items: [] };
      return { ...gone, isPreview: preview ?? false, userId: owner };
    },
  }),
);
