import { REASONER_STEPS } from '../domain/core/reasoning.ts';
import { entriesOf } from './entries.ts';
import type { Env } from './env.ts';
import { InvalidEnvironment } from './invalid-environment.ts';
import { requireKey } from './read-env.ts';

/** The language model, and exceptions for single steps. */
export type ModelReasonerConfig = {
  /** Whether the model is behind a server or in this process. */
  kind: 'openai' | 'local';
  model: string;
  temperature: number;
  /** The most tokens of conversation in one request. */
  inputTokens: number;
  /** Other models or temperatures for single steps, by the name of the step. */
  steps: ReadonlyMap<string, { model: string; temperature: number }>;
};

/** Reads the settings of the reasoner; null = the built-in rules. @throws InvalidEnvironment naming the wrong setting */
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
      'REASONER_STEPS: with REASONER=local one model does all steps; only the temperature can differ, such as "compact=@0.2"',
    );
  }
  return { kind, model, temperature, inputTokens: env.REASONER_INPUT_TOKENS, steps };
}

function parseSteps(text: string, defaults: { model: string; temperature: number }) {
  return new Map(
    entriesOf(text).map((entry) => {
      const [, step = '', model, degrees] = /^([^=]+)=(.*?)(?:@([\d.]+))?$/.exec(entry) ?? [];
      const temperature = degrees === undefined ? defaults.temperature : Number(degrees);
      const isStep = (REASONER_STEPS as readonly string[]).includes(step);
      if (!isStep || !(temperature >= 0 && temperature <= 2)) {
        throw new InvalidEnvironment(
          `REASONER_STEPS: "${entry}" must have the form step=model or step=model@temperature; the steps are ${REASONER_STEPS.join(', ')}`,
        );
      }
      return [step, { model: model || defaults.model, temperature }];
    }),
  );
}
