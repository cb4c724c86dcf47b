import { InvalidReply } from '../../domain/core/errors.ts';
import type { ReasonerStep } from '../../domain/core/reasoning.ts';
import type { Embedder } from '../../embedder/core/embedder.ts';
import { BUILT_IN_PROFILE } from '../../embedder/core/profile.ts';
import {
  type Call,
  type Reasoner,
  STEP_SCHEMAS,
  type StepArguments,
  type StepInput,
  type StepOutput,
} from '../reasoner.ts';
import { assessRelatedness } from './assess-relatedness.ts';
import { compact } from './compact.ts';
import { describeSegment } from './describe-segment.ts';
import { readFacts } from './extract-facts.ts';
import { findBoundaries } from './find-boundaries.ts';
import { judgeSurprise } from './judge-surprise.ts';
import { EXTRACTIVE } from './name.ts';
import { rateRetrieved } from './rate-retrieved.ts';
import { isSameFact } from './same-fact.ts';
import { summarizeEpisodes } from './summarize-episodes.ts';
import { composeProfile } from './synthesize-profile.ts';
import { capForFacts } from './text/cap-for-facts.ts';
import { capInput } from './text/cap-input.ts';
import { capOutput } from './text/cap-output.ts';
import {
  type SemanticSimilarity,
  semanticSimilarityBy,
  withOrWithout,
} from './text/semantic-similarity.ts';

type Work<S extends ReasonerStep> = (
  input: StepArguments<S>,
  similarity: SemanticSimilarity | null,
) => StepOutput<S> | Promise<StepOutput<S>>;

/**
 * Creates the built-in reasoner: rules and statistics, no network, the same output for the same input. Its rules are for
 * English; in other languages it only quotes. Without an `embedder`, or while that is unavailable, it compares by words.
 * Only parts of long texts are read, so that every step is quick.
 */
export function createExtractiveReasoner({ embedder }: { embedder: Embedder | null }): Reasoner {
  const step =
    <S extends ReasonerStep>(name: S, work: Work<S>) =>
    async (input: StepInput<S>, call: Call): Promise<StepOutput<S>> => {
      call.signal?.throwIfAborted();
      const { input: shape, output } = STEP_SCHEMAS[name];
      const similarity = embedder === null ? null : semanticSimilarityBy(embedder, call);
      const read = capInput(shape.parse(input) as StepArguments<S>);
      const result = await withOrWithout(similarity, async (available) => work(read, available));
      call.signal?.throwIfAborted();
      const made = output.safeParse(capOutput(name, result));
      if (made.success) return made.data as StepOutput<S>;
      const problems = made.error.issues.map(
        ({ path, message }) => `${path.join('.')}: ${message}`,
      );
      throw new InvalidReply(name, problems);
    };
  const { surprise } = embedder?.profile ?? BUILT_IN_PROFILE;
  return {
    generatedBy: 'EXTRACTIVE',
    readsThreads: false,
    modelOf: () => EXTRACTIVE,
    describeSegment: step('describe-segment', describeSegment),
    findBoundaries: step('find-boundaries', findBoundaries),
    judgeSurprise: step('judge-surprise', (input, similarity) =>
      judgeSurprise(input, similarity, surprise),
    ),
    assessRelatedness: step('assess-relatedness', assessRelatedness),
    extractFacts: step('extract-facts', ({ turns, ...rest }) =>
      readFacts({ ...rest, turns: capForFacts(turns, rest.contextTurns) }),
    ),
    isSameFact: step('same-fact', isSameFact),
    compact: step('compact', compact),
    summarizeEpisodes: step('summarize-episodes', summarizeEpisodes),
    synthesizeProfile: step('synthesize-profile', composeProfile),
    rateRetrieved: step('rate-retrieved', rateRetrieved),
  };
}
