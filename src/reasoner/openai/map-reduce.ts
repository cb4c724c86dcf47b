import { tokensOf } from '../../language/text/tokens.ts';
import type { StepOutput } from '../reasoner.ts';
import type { StepArguments } from './prompts/prompt.ts';

type Input = StepArguments<'summarize-episodes'>;
type Output = StepOutput<'summarize-episodes'>;

/** The share of a request's tokens that episodes may take; earlier summaries have the rest. */
const EPISODES = 0.7;

/**
 * Summarises any number of episodes: what is too much for one request is summarised in parts, and the
 * parts' summaries again, until one is left (requirements 10.4).
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

/** Parts of two at least, so that every round leaves fewer. */
function split(episodes: Input['episodes'], tokens: number): Input['episodes'][] {
  const parts: Input['episodes'][] = [];
  let size = 0;
  for (const episode of episodes) {
    const own = tokensOf(episode.title ?? '') + tokensOf(episode.summary) + 10;
    const part = parts.at(-1);
    if (part && (part.length < 2 || size + own <= tokens)) {
      part.push(episode);
      size += own;
    } else {
      parts.push([episode]);
      size = own;
    }
  }
  return parts;
}
