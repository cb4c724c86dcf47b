import { z } from 'zod';

/** Keywords that servers refuse in a strict schema. Zod checks these rules when the reply is read. */
const UNSENT = new Set([
  '$schema',
  'default',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
]);

/** Returns the JSON Schema of a reply for structured output: no additional properties, and all properties required. */
export function replySchema(reply: z.ZodType): Record<string, unknown> {
  return strip(z.toJSONSchema(reply)) as Record<string, unknown>;
}

function strip(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strip);
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([name]) => !UNSENT.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, strip(value)]));
}

/** The value of a reply, or what is wrong with it. */
export type ReadReply<T> = { ok: true; value: T } | { ok: false; problems: string[] };

/** The reasoning that some models put before their answer. */
const THINKING = /^\s*<think>[\s\S]*?<\/think>/;
const FENCE = '```';

/** Removes the code fence that some models put around a reply. */
function unfenced(reply: string): string {
  const text = reply.trim();
  const start = text.indexOf('\n');
  if (start < 0 || !text.startsWith(FENCE) || !text.endsWith(FENCE)) return reply;
  const language = text.slice(FENCE.length, start).trim();
  return language === '' || language === 'json' ? text.slice(start + 1, -FENCE.length) : reply;
}

/** Control characters except tabs and line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern has to find them.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Removes from all texts what the database cannot store: control characters and unpaired surrogates. Also trims them. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(CONTROL, '').toWellFormed().trim();
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, clean(each)]));
}

/** Parses a model's reply as JSON of the given shape. Never throws. */
export function readReply<T>(
  content: string | null | undefined,
  shape: z.ZodType<T>,
): ReadReply<T> {
  const bare = (content ?? '').replace(THINKING, '');
  let value: unknown;
  try {
    value = clean(JSON.parse(unfenced(bare)));
  } catch {
    return { ok: false, problems: ['it is not JSON'] };
  }
  const result = shape.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  return {
    ok: false,
    problems: result.error.issues
      .slice(0, 10)
      .map(({ path, message }) => `${path.join('.') || 'the reply'}: ${message}`),
  };
}
