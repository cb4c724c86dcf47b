import type { EmbeddingProfile } from '../../domain/core/embedding-profile.ts';
import { cutText } from './cut-text.ts';
import type { EmbedOptions } from './embedder.ts';

/** Some models refuse an empty text. */
const NOTHING = '.';

/** The texts as a model wants to read them: with its prefix before them, and cut to what it reads. */
export async function prepareTexts(
  texts: readonly string[],
  { priority, as }: Pick<EmbedOptions, 'priority' | 'as'>,
  { prefixes, maxTokens }: EmbeddingProfile,
): Promise<string[]> {
  const isQuestion = as ? as === 'question' : priority === 'query';
  const prefix = isQuestion ? prefixes.query : prefixes.document;
  const prepared: string[] = [];
  for (const text of texts) {
    const whole = prefix + (text.trim() || NOTHING).toWellFormed();
    prepared.push(await cutText(whole, maxTokens));
  }
  return prepared;
}
