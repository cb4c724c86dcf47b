import { z } from 'zod';

/** Rules that servers refuse in a strict schema; zod checks them afterwards. */
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

/** The JSON Schema of a reply as structured output takes it: objects closed, all of it required. */
export function schemaOf(reply: z.ZodType): Record<string, unknown> {
  return strip(z.toJSONSchema(reply)) as Record<string, unknown>;
}

function strip(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strip);
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([name]) => !UNSENT.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, strip(value)]));
}

/** A reply read: what it says, or what is wrong with it. */
export type ReadReply<T> = { ok: true; value: T } | { ok: false; problems: string[] };

/** Thinking aloud, as some models put before their answer. */
const THINKING = /^\s*<think>[\s\S]*?<\/think>/;
const FENCE = '```';

/** A reply without the fence that some models put around code. */
function unfenced(reply: string): string {
  const text = reply.trim();
  const start = text.indexOf('\n');
  if (start < 0 || !text.startsWith(FENCE) || !text.endsWith(FENCE)) return reply;
  const language = text.slice(FENCE.length, start).trim();
  return language === '' || language === 'json' ? text.slice(start + 1, -FENCE.length) : reply;
}

/** Control characters, but for tabs and line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** The same without what a database cannot hold: control characters and halves of letters. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(CONTROL, '').toWellFormed().trim();
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, clean(own)]));
}

/** Reads a model's reply as JSON of the given shape. */
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
