import type { GraphContext } from '../../context.ts';
import type { ScopedPrisma } from '../../db/core/scoped-prisma.ts';
import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { parse } from '../../domain/core/parse.ts';
import type { Viewer } from '../../domain/core/viewer.ts';
import { userIdSchema } from '../../domain/turns/turn.ts';
import type { Answer } from './answer.ts';
import { readGlobalId } from './global-id.ts';

/** The GraphQL context: what every resolver receives. */
export type RequestContext = {
  app: GraphContext;
  viewer: Viewer;
  prisma: ScopedPrisma;
  /** The size of the answer so far, and whether it is still wanted. */
  answer: Answer;
};

/** Creates the context of a request. Creates Prisma's scoped client only when a resolver uses it: many requests never do. */
export function createRequestContext(
  app: GraphContext,
  viewer: Viewer,
  answer: Answer,
): RequestContext {
  let prisma: ScopedPrisma | undefined;
  return {
    app,
    viewer,
    answer,
    get prisma() {
      prisma ??= app.db.prisma(viewer.kind === 'key' ? null : viewer.userId, answer.read);
      return prisma;
    },
  };
}

/**
 * Returns the user whose memory an operation concerns.
 * @throws NotFound if a user token names another user
 * @param path where the user is named
 * @throws InvalidInput if an API key names no user, or an invalid one
 */
export function userOf(viewer: Viewer, userId: string | null | undefined, path = 'userId'): string {
  if (viewer.kind === 'key') {
    if (userId != null) return parse(userIdSchema, userId, path);
    throw new InvalidInput([
      { path, message: 'is required, because this API key acts for many users' },
    ]);
  }
  if (userId != null && userId !== viewer.userId) throw new NotFound('user', userId);
  return viewer.userId;
}

/** The types of nodes that belong to a user and have a number. */
type UsersNode = 'Thread' | 'Turn' | 'Episode' | 'Fact' | 'SemanticMemory' | 'Link' | 'TuningRun';

/** "TuningRun" → "tuning run". */
const inWords = (typeName: string): string =>
  typeName.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/**
 * Returns the number of a user's node, such as a thread or turn, from its global id.
 * @throws NotFound if it is not the id of a node of this type and user
 */
export function localId(typeName: UsersNode, userId: string, globalId: string): number {
  const parsed = readGlobalId(globalId);
  if (parsed?.typename === typeName && parsed.key[0] === userId) return Number(parsed.key[1]);
  throw new NotFound(inWords(typeName), globalId);
}

/** Returns the key of a user's node; null if it is not the id of one, or if a user token names another user. */
export function ownKey(
  viewer: Viewer,
  typeName: UsersNode,
  { id, userId }: { id: string; userId?: string | null | undefined },
): { userId: string; id: number } | null {
  try {
    const owner = userOf(viewer, userId);
    return { userId: owner, id: localId(typeName, owner, id) };
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
}

/** Returns null for a look-up that cannot find anything. It reads `query`, because Pothos reports an unused query as a mistake. */
export function nothing(query: object): null {
  void { ...query };
  return null;
}
