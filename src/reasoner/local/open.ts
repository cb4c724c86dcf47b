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

/** Which file does the steps, and how. */
export type LocalReasonerSettings = {
  /** A GGUF file, or its address. */
  model: string;
  temperature: number;
  /** Other temperatures of single steps. */
  steps: ReadonlyMap<string, { temperature: number }>;
  /** Most tokens of conversation in one request. */
  inputTokens: number;
};

/** What a local reasoner is opened with besides its model. */
export type LocalReasonerOptions = Pick<ModelThreadOptions, 'notice' | 'clock' | 'patience'> & {
  meter: Meter;
  observe: (call: ObservedCall) => void;
  inLine: InLine;
  /** How long a request may take, in milliseconds. */
  timeout: number;
  /** Where fetched models are kept. */
  models: string;
  /** Where the optional packages are; null = beside the others. */
  packages: string | null;
};

/** Tokens of a task, its rules and the schema of its reply. */
const TASK_TOKENS = 3_000;
/** A small model's tokens are shorter than those that we count by. */
const FINER = 1.25;
const MAGIC = 'GGUF';

/**
 * Opens a GGUF file of REASONER=local. It is loaded in the background.
 * @throws InvalidSetting when the package or the file is missing, saying what to do
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
    file: new URL('./worker', import.meta.url),
    workerData,
    title: `The language model ${name}`,
    advice:
      'Look at REASONER_MODEL: it must be a GGUF file that fits into the memory, beside a context of REASONER_INPUT_TOKENS.',
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
    throw wrong(`cannot be read (${code}); with REASONER=local it names a GGUF file`);
  }
  if (start.toString('latin1') !== MAGIC) {
    throw wrong('is no GGUF file; other formats can be converted by llama.cpp');
  }
}
