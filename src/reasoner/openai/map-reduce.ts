import { tokensOf } from '../../language/text/tokens.ts';
import type { StepArguments, StepOutput } from '../reasoner.ts';

type Input = StepArguments<'summarize-episodes'>;
type Output = StepOutput<'summarize-episodes'>;

/** The share of a request's tokens for episodes; earlier summaries get the rest. */
const EPISODES = 0.7;

/**
 * Summarises any number of episodes. If they are too long for one request, it summarises parts of them, and then the
 * summaries of the parts, until one is left (requirements 10.4).
 */
export async function mapReduce(
  input: Input,
  tokens: number,
  summarize: (part: Input) => Promise<Output>,
): Promise<Output> {
  const parts = split(input.episodes, tokens * EPISODES);
  if (parts.length === 1) return summarize(input);
  const summaries = await Promise.all(parts.map((episodes) => summarize({ ...input, episodes })));
  const episodes = parts.map((part, index) => ({
    title: `Summary of ${part.length} episodes`,
    summary: summaries[index]?.summary ?? '',
    endedAt: new Date(Math.max(...part.map(({ endedAt }) => endedAt.getTime()))),
  }));
  return mapReduce({ ...input, episodes }, tokens, summarize);
}

/** Splits episodes into parts of at least two, so that every round leaves fewer. */
function split(episodes: Input['episodes'], tokens: number): Input['episodes'][] {
  const parts: Input['episodes'][] = [];
  let partTokens = 0;
  for (const episode of episodes) {
    const episodeTokens = tokensOf(episode.title ?? '') + tokensOf(episode.summary) + 10;
    const part = parts.at(-1);
    if (part && (part.length < 2 || partTokens + episodeTokens <= tokens)) {
      part.push(episode);
      partTokens += episodeTokens;
    } else {
      parts.push([episode]);
      partTokens = episodeTokens;
    }
  }
  return parts;
}
