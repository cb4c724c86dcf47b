import type { World } from '../world.ts';
import { isOnCitus } from './database.ts';

/** How jobs are leased: in one statement, or in the two steps that distributed tables need. Those work on any database. */
export const LEASE_WAYS = isOnCitus
  ? (['in two steps'] as const)
  : (['in one statement', 'in two steps'] as const);

/** Makes the workers of a world lease in this way. */
export function leasing(world: World, way: (typeof LEASE_WAYS)[number]): World {
  world.with({ db: { ...world.ctx.db, distributed: way === 'in two steps' } });
  return world;
}
