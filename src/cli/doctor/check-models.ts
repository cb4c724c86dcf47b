import type { Config } from '../../config/config.ts';
import { InvalidSetting } from '../../domain/core/errors.ts';
import { findPackage, LLAMA, TRANSFORMERS } from '../../local-models/optional-package.ts';
import { type Finding, findingsAbout, reasonOf } from './finding.ts';

const { ok, warning, problem } = findingsAbout('models');

const WITHIN = 5_000;

/** A model behind a server, and the settings that name it. */
type ConfiguredModel = { baseUrl: string; apiKey: string | null; model: string; settings: string };

/** Checks that the configured models can be used. Servers are only asked which models they have, which costs no token. */
export async function checkModels(config: Config): Promise<Finding[]> {
  const { reasoner, model, embedder, embedding, local } = config;
  const wanted: ConfiguredModel[] = [];
  if (reasoner?.kind === 'openai') {
    const { baseUrl, apiKey } = model;
    const settings = 'OPENAI_BASE_URL and OPENAI_API_KEY';
    const names = new Set([
      reasoner.model,
      ...[...reasoner.steps.values()].map((step) => step.model),
    ]);
    for (const name of names) wanted.push({ baseUrl, apiKey, model: name, settings });
  }
  if (embedding.server) {
    wanted.push({ ...embedding.server, settings: 'EMBEDDING_BASE_URL and EMBEDDING_API_KEY' });
  }
  const packages = [
    ...(embedder === 'local' ? [TRANSFORMERS] : []),
    ...(reasoner?.kind === 'local' ? [LLAMA] : []),
  ];
  const installed = packages.map((one): Finding => {
    try {
      findPackage(one, local.packages);
      return ok(`${one.name} is installed`);
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      return problem(
        `${one.setting} needs ${one.name}`,
        `run "npm install ${one.name}" (docs/models.md)`,
      );
    }
  });
  return [...installed, ...(await Promise.all(wanted.map(modelFinding)))];
}

async function modelFinding({
  baseUrl,
  apiKey,
  model,
  settings,
}: ConfiguredModel): Promise<Finding> {
  let response: Response;
  try {
    response = await fetch(`${baseUrl.replace(/\/$/, '')}/models`, {
      headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
      signal: AbortSignal.timeout(WITHIN),
    });
  } catch (error) {
    const message = `${baseUrl} cannot be reached: ${reasonOf(error)}`;
    return problem(message, `start that server, or correct ${settings}`);
  }
  if (response.status === 401 || response.status === 403) {
    return problem(`${baseUrl} does not accept the key`, `correct ${settings}`);
  }
  const listed = response.ok ? idsIn(await response.text()) : null;
  if (!listed) return ok(`${baseUrl} answers, but does not say which models it has`);
  if (listed.includes(model)) return ok(`${baseUrl} has ${model}`);
  return warning(
    `${baseUrl} does not list ${model}`,
    'correct the name of the model, or load it there',
  );
}

/** The ids of the models in an answer; null if it is something else. */
function idsIn(text: string): string[] | null {
  try {
    const { data } = JSON.parse(text) as { data?: { id?: unknown }[] };
    return Array.isArray(data) ? data.map(({ id }) => String(id)) : null;
  } catch {
    return null;
  }
}
