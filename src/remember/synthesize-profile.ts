import type { Context } from '../context.ts';
import { ErasedMeanwhile, NothingToSynthesize } from '../domain/errors.ts';
import type { StepOutcome } from '../domain/job.ts';
import { byHand } from './by-hand.ts';

type Store = Context['store']['profiles'];
type Material = NonNullable<Awaited<ReturnType<Store['material']>>>;

/**
 * Makes a new version of the profile from all semantic memories (seed 003 §3), when a session has ended that changed
 * them. Earlier versions stay readable.
 */
export async function synthesizeProfile(ctx: Context, userId: string): Promise<StepOutcome> {
  const material = await read(ctx, userId);
  if (material?.isDue) await revise(ctx, userId, material);
  return 'done';
}

/**
 * The same now.
 * @returns the version
 * @throws NothingToSynthesize, ModelUnavailable
 */
export const synthesizeProfileNow = (ctx: Context, userId: string): Promise<number> =>
  byHand(ctx, async () => {
    const material = await read(ctx, userId);
    if (!material?.memories.length) throw new NothingToSynthesize();
    return revise(ctx, userId, material);
  });

/** Wakes the step if it has something to do. */
export async function wakeProfile(ctx: Context, userId: string): Promise<void> {
  const { profiles, jobs } = ctx.store;
  await ctx.db.asUser(userId, async (tx) => {
    if (!(await profiles.material(tx, userId))?.isDue) return;
    const runAt = ctx.clock();
    await jobs.add(tx, userId, { step: 'synthesize-profile', subject: 0, runAt });
  });
}

const read = (ctx: Context, userId: string): Promise<Material | null> =>
  ctx.db.asUser(userId, (tx) => ctx.store.profiles.material(tx, userId));

async function revise(ctx: Context, userId: string, material: Material): Promise<number> {
  const { reasoner } = ctx;
  const memories = material.memories.map(({ summary }) => ({ summary }));
  const profile = await reasoner.synthesizeProfile({ memories }, { userId });
  const model = reasoner.modelOf('synthesize-profile');
  const draft = { ...profile, generatedBy: reasoner.generatedBy, model };
  const version = await ctx.db.asUser(
    userId,
    async (tx) => {
      const now = ctx.clock();
      const saved = await ctx.store.profiles.save(tx, userId, material, draft, now);
      if (saved === null) throw new ErasedMeanwhile();
      const decision = `profile.synthesize (version ${saved}, ${memories.length} memories, by ${model})`;
      const event = { kind: 'PROFILE_REVISED' as const, decision, details: { version: saved } };
      await ctx.store.events.append(tx, userId, event, now);
      return saved;
    },
    { lock: true },
  );
  ctx.announcer.announce(userId);
  ctx.logger.info({ userId, version, memories: memories.length }, 'profile.synthesize');
  return version;
}
