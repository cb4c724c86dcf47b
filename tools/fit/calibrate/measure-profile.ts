import type { Overrides } from '../../../src/app.ts';
import type { EmbeddingProfile } from '../../../src/domain/core/embedding-profile.ts';
import type { Embedder } from '../../../src/embedder/core/embedder.ts';
import type { LocomoConversation } from '../../eval/locomo.ts';
import { type Calibration, calibrate } from '../calibration.ts';
import { embedRestated, embedTalks } from './embed-talks.ts';
import { chooseWeight, scoreWeights, type WeightScore } from './fusion-weight.ts';
import type { Talk } from './read-talks.ts';

/** The profile of an embedder, and what was measured for it. */
type MeasuredProfile = {
  /** The name of the embedder. */
  name: string;
  profile: EmbeddingProfile;
  measured: Calibration;
  /** Empty without questions: the weight of vectors is then the one that the embedder had. */
  scores: WeightScore[];
};

/**
 * Measures how the cosines of an embedder are interpreted, and how its vectors are weighted.
 * @param talks at least two conversations with topic boundaries
 * @param locomo conversations with questions; may be empty
 * @param parts see `scoreWeights`
 */
export async function measureProfile(
  embedder: Embedder,
  talks: readonly Talk[],
  locomo: readonly LocomoConversation[],
  parts?: Overrides,
): Promise<MeasuredProfile> {
  const { name, dimension } = await embedder.identify();
  const measured = calibrate(
    await embedTalks(embedder, talks),
    await embedRestated(embedder, talks),
  );
  const scores = locomo.length > 0 ? await scoreWeights(embedder, locomo, parts) : [];
  const { surprise, thresholds } = measured;
  const vectorWeight = scores.length > 0 ? chooseWeight(scores) : embedder.profile.vectorWeight;
  const profile: EmbeddingProfile = {
    ...embedder.profile,
    ...{ dimension, calibrated: true, surprise, thresholds, vectorWeight },
  };
  return { name, profile, measured, scores };
}

/** Rounds figures to four digits, which is more than they are accurate to. */
const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(4)) : value;

/** Returns the text of a file for EMBEDDING_PROFILE. */
export const profileText = (profile: EmbeddingProfile): string =>
  `${JSON.stringify(profile, rounded, 2)}\n`;
