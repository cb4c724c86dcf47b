import {
  MEMORY_WEIGHTS,
  type MemoryWeights,
  RERANK_NAMES,
  type RerankName,
} from '../domain/ranking/memory-ranking.ts';
import { InvalidEnvironment } from './read-env.ts';

const isName = (name: string): name is RerankName =>
  (RERANK_NAMES as readonly string[]).includes(name);

/** Reads MEMORY_RERANK_WEIGHTS: "name=number" of what differs from the usual. @throws InvalidEnvironment */
export function readWeights(text: string): MemoryWeights {
  const weights = { ...MEMORY_WEIGHTS };
  for (const entry of text.split(',').filter((part) => part.trim() !== '')) {
    const [name = '', value = ''] = entry.split('=').map((part) => part.trim());
    const number = Number(value);
    if (!isName(name) || value === '' || !(number >= 0 && number <= 10)) {
      const names = RERANK_NAMES.join(', ');
      throw new InvalidEnvironment(
        `MEMORY_RERANK_WEIGHTS: "${entry.trim()}" is not one of ${names} with a number of 0-10, such as "recency=0.2"`,
      );
    }
    if (name === 'recency') weights.recency = { ORDINARY: number, RECALL: number };
    else weights[name] = number;
  }
  return weights;
}
