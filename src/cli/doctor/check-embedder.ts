import type { Config } from '../../config/config.ts';
import { BUILT_IN_MODEL } from '../../domain/core/embedding-profile.ts';
import { type Finding, findingsAbout } from './finding.ts';

const { ok, warning } = findingsAbout('vectors');

/** Compares the embedders that have made vectors with the one that is configured. */
export function embedderFinding(names: readonly string[], config: Config): Finding[] {
  if (names.length === 0) return [];
  const made = names.join(', ');
  if (config.embedder === 'none') {
    const advice = 'set EMBEDDER if meaning is to count too';
    return [warning(`there are vectors by ${made}, but EMBEDDER is none`, advice)];
  }
  const others = names.filter((name) => !isConfigured(name, config));
  if (others.length === 0) return [ok(`made by the configured embedder (${made})`)];
  return [
    warning(
      `made by ${others.join(', ')}, but ${wanted(config)} is configured`,
      'let the server embed everything again in the background, which it does by itself, or restore the setting',
    ),
  ];
}

const wanted = ({ embedder, embedding }: Config): string =>
  embedding.server?.model ??
  embedding.local?.model ??
  (embedder === 'built-in' ? BUILT_IN_MODEL : embedder);

/** The name of an embedder begins with its kind and its model. */
function isConfigured(name: string, { embedder, embedding }: Config): boolean {
  switch (embedder) {
    case 'built-in':
      return name === BUILT_IN_MODEL;
    case 'openai':
      return name.startsWith(`openai:${embedding.server?.model}@`);
    default:
      return name.startsWith(`${embedder}:`);
  }
}
