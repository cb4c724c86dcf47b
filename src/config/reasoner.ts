import { REASONER_STEPS } from '../domain/core/reasoning.ts';
import type { Env } from './env.ts';
import { list } from './list.ts';
import { InvalidEnvironment, requireKey } from './read-env.ts';

/** Which language model does what. */
export type ModelReasonerConfig = {
  /** Whether it is behind a server, or in this process. */
  kind: 'openai' | 'local';
  model: string;
  temperature: number;
  /** Most tokens of conversation in one request. */
  inputTokens: number;
  /** What differs for single steps, by the step's name. */
  steps: ReadonlyMap<string, { model: string; temperature: number }>;
};

/** Null: the built-in rules. @throws InvalidEnvironment */
export function readReasoner(env: Env): ModelReasonerConfig | null {
  const { REASONER: kind, REASONER_MODEL: model, REASONER_TEMPERATURE: temperature } = env;
  if (kind === 'extractive') return null;
  if (!model) {
    throw new InvalidEnvironment(`REASONER_MODEL: say which model to use with REASONER=${kind}`);
  }
  const steps = parseSteps(env.REASONER_STEPS, { model, temperature });
  if (kind === 'openai') {
    const names = { key: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL' };
    requireKey(env.OPENAI_API_KEY, env.OPENAI_BASE_URL, names);
  } else if ([...steps.values()].some((step) => step.model !== model)) {
    throw new InvalidEnvironment(
      'REASONER_STEPS: with REASONER=local one model does all steps; only temperatures can differ, such as "compact=@0.2"',
    );
  }
  return { kind, model, temperature, inputTokens: env.REASONER_INPUT_TOKENS, steps };
}

function parseSteps(text: string, usual: { model: string; temperature: number }) {
  return new Map(
    list(text).map((entry) => {
      const [, step = '', model, temperature] = /^([^=]+)=(.*?)(?:@([\d.]+))?$/.exec(entry) ?? [];
      const degree = temperature === undefined ? usual.temperature : Number(temperature);
      const known = (REASONER_STEPS as readonly string[]).includes(step);
      if (!known || !(degree >= 0 && degree <= 2)) {
        throw new InvalidEnvironment(
          `REASONER_STEPS: "${entry}" is not of the form step=model or step=model@temperature; the steps are ${REASONER_STEPS.join(', ')}`,
        );
      }
      return [step, { model: model || usual.model, temperature: degree }];
    }),
  );
}
