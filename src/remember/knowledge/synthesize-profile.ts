import type { MemoryContext, Needs } from '../../context.ts';
import type { ProfileMaterial as Material } from '../../db/knowledge/profiles.ts';
import { NothingToSynthesize, Overtaken } from '../../domain/core/errors.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import type { Memory } from '../../memory.ts';
import { onDemand } from '../operations/on-demand.ts';
import { personIn } from './person-in.ts';

/**
 * Makes a new version of the profile from the valid facts and all semantic memories (requirements 10.9): when a session that
 * changed them has ended, or at once when a fact it was made from is no longer valid, or one that was recorded ahead begins.
 * Earlier versions stay readable. If the text stays the same, there is no new version; if there is nothing to say, the current
 * one is marked as stale.
 */
export async function synthesizeProfile(
  ctx: MemoryContext & Needs<'reasoner' | 'logger'>,
  userId: string,
): Promise<StepOutcome> {
  const material = await read(ctx, userId);
  if (material?.isDue) await revise(ctx, userId, material);
  return material?.changesAt ?? 'done';
}

/**
 * The same at once.
 * @returns the number of the current version
 * @throws NothingToSynthesize, ModelUnavailable
 */
export const synthesizeProfileNow = (
  ctx: MemoryContext & Needs<'reasoner' | 'logger'>,
  userId: string,
): Promise<number> =>
  onDemand(ctx, async () => {
    const material = await read(ctx, userId);
    const version = material && (await revise(ctx, userId, material));
    if (version === null) throw new NothingToSynthesize();
    return version;
  });

/** Triggers `synthesize-profile` if a new version is due. */
export async function triggerDueProfile(memory: Memory): Promise<void> {
  const material = await memory.profiles.material(memory.now);
  if (material?.isDue) memory.changed('profileOutdated');
}

const isKnown = ({ facts, memories }: Material): boolean => facts.length + memories.length > 0;

const read = (ctx: MemoryContext, userId: string): Promise<Material | null> =>
  ctx.memory(userId).read((memory) => memory.profiles.material(memory.now));

/** @returns the number of the current version; null if there is nothing to say, and so no new version */
async function revise(
  ctx: MemoryContext & Needs<'reasoner' | 'logger'>,
  userId: string,
  material: Material,
): Promise<number | null> {
  const { reasoner } = ctx;
  const { person, facts } = personIn(material.facts, material.timeZone);
  const memories = material.memories.map(({ summary, endedAt }) => ({ summary, endedAt }));
  const profile = isKnown(material)
    ? await reasoner.synthesizeProfile({ person, facts, memories }, { userId })
    : null;
  if (!profile?.prose) {
    await ctx.memory(userId).write((memory) => memory.profiles.markStale(memory.now));
    return null;
  }
  const model = reasoner.modelOf('synthesize-profile');
  const draft = { ...profile, generatedBy: reasoner.generatedBy, model };
  const from = `${facts.length} facts, ${memories.length} memories`;
  const save = async (memory: Memory) => {
    const saved = await memory.profiles.save(material, draft, memory.now);
    if (saved === null) throw new Overtaken();
    if (!saved.isNew) return saved;
    const decision = `profile.synthesize (version ${saved.version}, ${from}, by ${model})`;
    const details = { version: saved.version };
    const event = { kind: 'PROFILE_REVISED' as const, decision, details };
    memory.record(event);
    return saved;
  };
  const { version, isNew } = await ctx.memory(userId).write(save, { since: material.epoch });
  const counts = { facts: facts.length, memories: memories.length };
  ctx.logger.info({ userId, version, isNew, ...counts }, 'profile.synthesize');
  return version;
}
