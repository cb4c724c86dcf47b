import type { MemoryContext, Needs } from '../context.ts';
import type { DeploymentCounts } from '../db/operations/deployment.ts';
import type { UserPage, UserRow } from '../db/operations/users.ts';
import { fadedAfter } from '../domain/episodes/forgetting.ts';
import { queryTermsOf } from '../language/text/terms.ts';

/** The ids of a user's threads that have words in their title or turns; the latest, at most `MOST_LISTED`. */
export const threadsWithWords = (
  ctx: MemoryContext,
  userId: string,
  words: string,
): Promise<number[]> =>
  ctx.memory(userId).read((memory) => memory.threadsWithWords.find(words, queryTermsOf(words)));

/** The ids of a user's episodes whose retrievability is below a share by now; the latest, at most `MOST_LISTED`. */
export const episodesBelow = (
  ctx: MemoryContext,
  userId: string,
  share: number,
): Promise<number[]> =>
  ctx.memory(userId).read((memory) => memory.fading.faded(memory.now, fadedAfter(share)));

/** A page of the users of this deployment, by their names. */
export const listUsers = (ctx: Needs<'db' | 'deployment'>, page: UserPage): Promise<UserRow[]> =>
  ctx.deployment().users.page(page);

/** Where the memories of this deployment are stored. */
export const databaseKindOf = ({ db }: Needs<'db'>): 'EMBEDDED' | 'POSTGRESQL' =>
  db.embedded ? 'EMBEDDED' : 'POSTGRESQL';

/** How much all memories hold, and the jobs of all users. */
export const countAll = (ctx: Needs<'db' | 'deployment'>): Promise<DeploymentCounts> =>
  ctx.deployment().deployment.count();
