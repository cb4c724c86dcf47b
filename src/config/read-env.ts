import { type Env, envSchema } from './env.ts';
import { InvalidEnvironment } from './invalid-environment.ts';

/**
 * Reads and validates the environment variables. An empty one counts as not set, as compose and .env files write it.
 * @throws InvalidEnvironment naming every variable that is wrong, with its description
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const given = Object.entries(source).filter(([, value]) => value !== '');
  const result = envSchema.safeParse(Object.fromEntries(given));
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    const what = envSchema.shape[name as keyof Env]?.description ?? '';
    return `  ${name}: ${issue.message}. ${what}`;
  });
  throw new InvalidEnvironment(`These settings are wrong:\n${lines.join('\n')}`);
}

/** Checks that there is a key if the server is OpenAI itself. @throws InvalidEnvironment if it is missing */
export function requireKey(
  apiKey: string | null | undefined,
  baseUrl: string,
  names: { key: string; url: string },
): void {
  if (apiKey || new URL(baseUrl).hostname !== 'api.openai.com') return;
  throw new InvalidEnvironment(
    `${names.key}: OpenAI requires a key; for another server set ${names.url}`,
  );
}
