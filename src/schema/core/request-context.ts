import type { GraphContext } from '../../context.ts';
import type { ScopedPrisma } from '../../db/core/scoped-prisma.ts';
import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { parse } from '../../domain/core/parse.ts';
import type { Viewer } from '../../domain/core/viewer.ts';
import { userIdSchema } from '../../domain/turns/turn.ts';
import type { Answer } from './answer.ts';
import { readGlobalId } from './global-id.ts';

/** What resolvers get. */
export type RequestContext = {
  app: GraphContext;
  viewer: Viewer;
  prisma: ScopedPrisma;
  /** What the answer has cost so far. */
  answer: Answer;
};

/** Prisma's scoped client is made when a resolver first asks for it: many requests never do. */
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
 * Whose memory an operation is about. Under a user token the argument must be the token's own
 * user, else it is as if that user did not exist.
 * @throws NotFound, InvalidInput
 */
export function userOf(viewer: Viewer, userId: string | null | undefined): string {
  if (viewer.kind === 'key') {
    if (userId != null) return parse(userIdSchema, userId, 'userId');
    throw new InvalidInput([{ path: 'userId', message: 'is required: an API key acts for many' }]);
  }
  if (userId != null && userId !== viewer.userId) throw new NotFound('user', userId);
  return viewer.userId;
}

/**
 * The number that a node's id gives a thread or turn of this user.
 * @throws NotFound when it is not the id of such a node of this user
 */
export function localId(
  typeName: 'Thread' | 'Turn' | 'Episode' | 'Fact' | 'Link' | 'TuningRun',
  userId: string,
  globalId: string,
): number {
  const named = readGlobalId(globalId);
  if (named?.typename === typeName && named.key[0] === userId) return Number(named.key[1]);
  throw new NotFound(typeName.toLowerCase(), globalId);
}

/** The key of a user's own node; null when it is not the id of one, or the user is not the token's. */
export function ownKey(
  viewer: Viewer,
  typeName: Parameters<typeof localId>[0],
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

/** The answer to a look-up with nothing to look for: Pothos takes a query that nobody reads for a mistake. */
export function nothing(query: object): null {
  void { ...query };
  return null;
}
