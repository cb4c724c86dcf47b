import { NotFound } from '../../domain/core/errors.ts';
import { builder } from '../core/builder.ts';
import { readGlobalId } from '../core/global-id.ts';
import { loadersOf } from '../core/loaders.ts';
import { GeneratedByEnum } from '../core/scalars.ts';

/** The numbers of a user's skill by its global id: of its episode, and its own in it. @throws NotFound */
export function skillNumbers(
  userId: string,
  globalId: string,
): { episodeId: number; number: number } {
  const { typename, key = [] } = readGlobalId(globalId) ?? {};
  const [owner, episodeId, number] = key;
  if (typename === 'Skill' && owner === userId && key.length === 3) {
    return { episodeId: Number(episodeId), number: Number(number) };
  }
  throw new NotFound('skill', globalId);
}

export const SkillNode = builder.prismaNode('Skill', {
  description:
    'A reusable pattern, such as a way to solve a problem, that was found when a thread or a cross-thread episode was summarised.',
  id: {
    field: 'userId_episodeId_number',
    description:
      'Global id of the skill. Pass it to `node`, or to `explainMiss` if a recall should have found it. A later summary may ' +
      'give the id of a skill that it dropped to another one.',
  },
  nullable: true,
  fields: (t) => ({
    name: t.exposeString('name', { description: 'A short name of the pattern, mostly 2-8 words.' }),
    description: t.exposeString('description', {
      description: 'When to use the pattern, and how.',
    }),
    generatedBy: t.expose('generatedBy', {
      type: GeneratedByEnum,
      description: 'Whether the built-in rules or a model found the pattern.',
    }),
    evidenceTurns: t.exposeIntList('evidenceTurns', {
      description:
        'Numbers of the turns that show the pattern, counted in its thread. In a long thread a number may stand for the segment ' +
        'that begins there. If the pattern was found in a cross-thread episode, turns are counted across all its threads.',
    }),
    useCount: t.int({
      description:
        'The number of threads in which a skill of this name was found; 1 if it was found only in a cross-thread episode.',
      resolve: ({ userId, name }, _args, context) =>
        loadersOf(context).skillUses.load({ userId, name }),
    }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description:
        'When a skill of this name was first found in the thread or cross-thread episode. Later summaries that find it again leave ' +
        'this time unchanged. If a summary did not find the skill, or was erased, the next one that finds it sets a new time.',
    }),
  }),
});
