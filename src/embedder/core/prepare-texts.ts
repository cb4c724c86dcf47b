import type { EmbeddingProfile } from '../../domain/core/embedding-profile.ts';
import { cutForModel } from './cut-text.ts';
import { type EmbedOptions, isQuery } from './embedder.ts';

/** Takes the place of an empty text, which some models refuse. */
const NOTHING = '.';

/** Prepares texts for a model: adds its prefix for questions or documents and cuts each text to `maxTokens`. */
export async function prepareTexts(
  texts: readonly string[],
  order: Pick<EmbedOptions, 'priority' | 'as'>,
  { prefixes, maxTokens }: EmbeddingProfile,
): Promise<string[]> {
  const prefix = isQuery(order) ? prefixes.query : prefixes.document;
  const prepared: string[] = [];
  for (const text of texts) {
    const whole = prefix + (text.trim() || NOTHING).toWellFormed();
    prepared.push(await cutForModel(whole, maxTokens));
  }
  return prepared;
}
