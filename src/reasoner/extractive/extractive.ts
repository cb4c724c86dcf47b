import type { Embedder } from '../../embedder/embedder.ts';
import type { Reasoner } from '../reasoner.ts';

// In the making: replaced as a whole by the built-in reasoner.
export function createExtractiveReasoner(_options: { embedder: Embedder | null }): Reasoner {
  const notYet = () => Promise.reject(new Error('in the making'));
  return {
    generatedBy: 'EXTRACTIVE',
    modelOf: () => 'extractive/1',
    describeSegment: notYet,
    findBoundaries: notYet,
    judgeSurprise: notYet,
    assessRelatedness: notYet,
    extractFacts: notYet,
    isSameFact: notYet,
    compact: notYet,
    summarizeEpisodes: notYet,
    synthesizeProfile: notYet,
    rateRetrieved: notYet,
    detectRecallIntent: notYet,
  };
}
