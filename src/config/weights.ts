import {
  MEMORY_WEIGHTS,
  type MemoryWeights,
  RERANK_NAMES,
  type RerankName,
} from '../domain/ranking/memory-ranking.ts';
import { InvalidEnvironment } from './invalid-environment.ts';

const isName = (name: string): name is RerankName =>
  (RERANK_NAMES as readonly string[]).includes(name);

/** Reads MEMORY_RERANK_WEIGHTS: "name=number" for each weight that differs from its default. @throws InvalidEnvironment */
export function readWeights(text: string): MemoryWeights {
  const weights = { ...MEMORY_WEIGHTS };
  for (const entry of text.split(',').filter((part) => part.trim() !== '')) {
    const [name = '', value = ''] = entry.split('=').map((part) => part.trim());
    const number = Number(value);
    if (!isName(name) || value === '' || !(number >= 0 && number <= 10)) {
      const names = RERANK_NAMES.join(', ');
      throw new InvalidEnvironment(
        `MEMORY_RERANK_WEIGHTS: "${entry.trim()}" must be one of ${names} with a number from 0 to 10, such as "recency=0.2"`,
      );
    }
    if (name === 'recency') weights.recency = { ORDINARY: number, RECALL: number };
    else weights[name] = number;
  }
  return weights;
}
