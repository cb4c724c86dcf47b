/** Something that the user or the assistant said. */
export type Said = {
  role: 'USER' | 'ASSISTANT';
  text: string;
  /** The agent's own name for the message; null if it has none. */
  id: string | null;
  /** When it was said; null if the transcript does not say. */
  at: string | null;
};

type Fields = Record<string, unknown>;

const ROLES: Readonly<Record<string, Said['role']>> = { user: 'USER', assistant: 'ASSISTANT' };
/** The kinds of parts of a message that are words. All others are tools, thoughts and pictures. */
const WORDS = new Set<unknown>(['text', 'input_text', 'output_text']);
/** Lines that are not part of the conversation: of sub-agents, or written by the agent's own program. */
const ASIDE = ['isSidechain', 'isMeta', 'isCompactSummary', 'isApiErrorMessage'];
/** Words that the agent's program puts into the user's mouth. */
const NOT_SAID =
  /^\s*(?:<(?:command-|local-command-|bash-|system-reminder|task-notification|environment_context|user_instructions)|\[Request interrupted)/;
/** Cursor puts what the user typed into a fence. */
const FENCE = { begin: '<user_query>', end: '</user_query>' };

/** What the user typed, without Cursor's fence. */
function typedIn(text: string): string {
  const begin = text.indexOf(FENCE.begin);
  const end = text.indexOf(FENCE.end, begin);
  return begin < 0 || end < 0 ? text : text.slice(begin + FENCE.begin.length, end).trim();
}

/**
 * What a line of a transcript says, by the forms of Claude Code (`type`, `message.content`), Cursor (`role`,
 * `message.content`) and Codex (`payload.role`, `payload.content`). Null if it holds no words of user or assistant.
 */
export function saidIn(line: string): Said | null | 'not JSON' {
  if (line.trim() === '') return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return 'not JSON';
  }
  const outer = fieldsOf(parsed);
  const entry = fieldsOf(outer.payload ?? outer);
  const message = fieldsOf(entry.message ?? entry);
  const role = ROLES[String(message.role ?? entry.role ?? entry.type)];
  if (!role || ASIDE.some((name) => outer[name] === true)) return null;
  const text = wordsOf(message.content);
  if (text.trim() === '' || (role === 'USER' && NOT_SAID.test(text))) return null;
  return {
    role,
    text: role === 'USER' ? typedIn(text) : text,
    id: textOf(outer.uuid),
    at: textOf(outer.timestamp),
  };
}

function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map(fieldsOf)
    .flatMap(({ type, text }) => (WORDS.has(type) && typeof text === 'string' ? [text] : []))
    .join('\n\n');
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
