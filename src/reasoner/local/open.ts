import { closeSync, openSync, readSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { InvalidSetting } from '../../domain/core/errors.ts';
import { createModelThread, type ModelThreadOptions } from '../../local-models/model-thread.ts';
import { findPackage, LLAMA } from '../../local-models/optional-package.ts';
import type { Meter } from '../../openai/meter.ts';
import type { ObservedCall } from '../../openai/observe-call.ts';
import { createModelReasoner } from '../openai/openai.ts';
import type { Reasoner } from '../reasoner.ts';
import {
  createLocalComplete,
  type InLine,
  type LocalLanguageModel,
  REPLY_TOKENS,
} from './complete.ts';
import type { LocalReasonerData } from './worker.ts';

/** The model file of a local reasoner, and how its steps run. */
export type LocalReasonerSettings = {
  /** The path or URL of a GGUF file. */
  model: string;
  temperature: number;
  /** Temperatures of single steps that differ. */
  steps: ReadonlyMap<string, { temperature: number }>;
  /** The most tokens of conversation in one request. */
  inputTokens: number;
};

/** What a local reasoner needs besides its model. */
export type LocalReasonerOptions = Pick<ModelThreadOptions, 'notice' | 'clock' | 'patience'> & {
  meter: Meter;
  observe: (call: ObservedCall) => void;
  inLine: InLine;
  /** The timeout of a request, in milliseconds. */
  timeout: number;
  /** The folder of downloaded models. */
  models: string;
  /** The folder of the optional packages; null if they are installed with the others. */
  packages: string | null;
};

/** The most tokens of a task, its rules and the schema of its reply. */
const TASK_TOKENS = 3_000;
/** How many more tokens a small model needs for a text than the tokenizer that we count with. */
const FINER = 1.25;
const MAGIC = 'GGUF';

/**
 * Opens the reasoner of REASONER=local on a GGUF file, which is loaded in the background.
 * @throws InvalidSetting if the package or the file is missing; the message says what to do
 */
export function openLocalReasoner(
  { model, steps, temperature, inputTokens }: LocalReasonerSettings,
  { meter, observe, inLine, timeout, models, packages, ...services }: LocalReasonerOptions,
): { reasoner: Reasoner; model: LocalLanguageModel } {
  const packageUrl = findPackage(LLAMA, packages);
  if (!/^(hf|https?):/.test(model)) requireGguf(model);
  const name = basename(model);
  const workerData: LocalReasonerData = {
    packageUrl,
    model: /^(hf|https?):/.test(model) ? model : resolve(model),
    directory: resolve(models),
    contextTokens: Math.ceil((inputTokens + TASK_TOKENS) * FINER) + REPLY_TOKENS,
  };
  const thread: LocalLanguageModel = createModelThread({
    module: 'reasoner/local/worker',
    workerData,
    title: `The language model ${name}`,
    advice:
      'Check REASONER_MODEL: it must be a GGUF file that fits into memory, together with a context of REASONER_INPUT_TOKENS.',
    ...services,
  });
  const reasoner = createModelReasoner({
    complete: createLocalComplete(thread, { meter, observe, inLine, name, timeout }),
    choose: (step) => ({ model: name, temperature: steps.get(step)?.temperature ?? temperature }),
    inputTokens,
  });
  return { reasoner, model: thread };
}

function requireGguf(path: string): void {
  const wrong = (what: string) => new InvalidSetting(`REASONER_MODEL: ${path} ${what}`);
  const start = Buffer.alloc(MAGIC.length);
  try {
    const file = openSync(path, 'r');
    readSync(file, start);
    closeSync(file);
  } catch (cause) {
    const { code } = cause as { code?: string };
    throw wrong(`cannot be read (${code}); with REASONER=local it must name a GGUF file`);
  }
  if (start.toString('latin1') !== MAGIC) {
    throw wrong('is no GGUF file; other formats can be converted by llama.cpp');
  }
}
