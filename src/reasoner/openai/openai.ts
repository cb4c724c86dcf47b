import type { ReasonerStep } from '../../domain/core/reasoning.ts';
import type { Endpoint } from '../../openai/endpoint.ts';
import type { Meter } from '../../openai/meter.ts';
import type { ObservedCall } from '../../openai/observe-call.ts';
import {
  type Call,
  type Reasoner,
  STEP_SCHEMAS,
  type StepArguments,
  type StepInput,
  type StepOutput,
} from '../reasoner.ts';
import { createAsk } from './ask.ts';
import { type Complete, createComplete } from './complete.ts';
import { inWindows } from './in-windows.ts';
import { mapReduce } from './map-reduce.ts';
import { assessRelatednessPrompt } from './prompts/assess-relatedness.ts';
import { compactPrompt } from './prompts/compact.ts';
import { describeSegmentPrompt } from './prompts/describe-segment.ts';
import { extractFactsPrompt } from './prompts/extract-facts.ts';
import { findBoundariesPrompt } from './prompts/find-boundaries.ts';
import { judgeSurprisePrompt } from './prompts/judge-surprise.ts';
import type { Prompt } from './prompts/prompt.ts';
import { rateRetrievedPrompt } from './prompts/rate-retrieved.ts';
import { readThreadPrompt } from './prompts/read-thread.ts';
import { sameFactPrompt } from './prompts/same-fact.ts';
import { summarizeEpisodesPrompt } from './prompts/summarize-episodes.ts';
import { synthesizeProfilePrompt } from './prompts/synthesize-profile.ts';

export type OpenAiReasonerOptions = {
  endpoint: Endpoint;
  meter: Meter;
  observe: (call: ObservedCall) => void;
  clock: () => Date;
  /** Returns the model and the temperature of a step. */
  choose: (step: ReasonerStep) => { model: string; temperature: number };
  /** The most tokens of data in one request. */
  inputTokens: number;
};

/** Creates a reasoner on any OpenAI-compatible server (`/chat/completions`). */
export function createOpenAiReasoner(options: OpenAiReasonerOptions): Reasoner {
  const { endpoint, meter, choose, inputTokens } = options;
  return createModelReasoner({
    complete: createComplete(endpoint, meter, options),
    choose,
    inputTokens,
  });
}

/** The steps that one request does together, if they all have the same model and temperature. */
const READING_STEPS = ['find-boundaries', 'describe-segment', 'compact'] as const;

const areSame = ([first, ...others]: { model: string; temperature: number }[]): boolean =>
  others.every(
    ({ model, temperature }) => model === first?.model && temperature === first.temperature,
  );

/** Creates a reasoner whose steps run on a language model, wherever the model is. */
export function createModelReasoner({
  complete,
  choose,
  inputTokens,
}: Pick<OpenAiReasonerOptions, 'choose' | 'inputTokens'> & { complete: Complete }): Reasoner {
  const ask = createAsk(complete, choose, inputTokens);
  const parsed = <S extends ReasonerStep>(step: S, input: StepInput<S>) =>
    STEP_SCHEMAS[step].input.parse(input) as StepArguments<S>;
  const method =
    <S extends ReasonerStep, R>(prompt: Prompt<S, R>) =>
    (input: StepInput<S>, call: Call): Promise<StepOutput<S>> =>
      ask(prompt, parsed(prompt.step, input), call);

  const readsThreads = areSame(READING_STEPS.map(choose));
  const findBoundaries = method(findBoundariesPrompt);
  const readThread = method(readThreadPrompt);

  return {
    generatedBy: 'MODEL',
    readsThreads,
    modelOf: (step) => choose(step).model,
    describeSegment: method(describeSegmentPrompt),
    findBoundaries: (input, call) =>
      readsThreads && input.isThread ? readThread(input, call) : findBoundaries(input, call),
    judgeSurprise: method(judgeSurprisePrompt),
    assessRelatedness: method(assessRelatednessPrompt),
    extractFacts: (input, call) =>
      inWindows(parsed('extract-facts', input), inputTokens, (window) =>
        ask(extractFactsPrompt, window, call),
      ),
    isSameFact: method(sameFactPrompt),
    compact: method(compactPrompt),
    summarizeEpisodes: (input, call) =>
      mapReduce(parsed('summarize-episodes', input), inputTokens, (part) =>
        ask(summarizeEpisodesPrompt, part, call),
      ),
    synthesizeProfile: method(synthesizeProfilePrompt),
    rateRetrieved: method(rateRetrievedPrompt),
  };
}
