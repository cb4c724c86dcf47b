/** What an agent says to a hook, in the same words for all agents. */
export type HookEvent = {
  /** As the agent calls it, such as UserPromptSubmit; empty if it does not say. */
  name: string;
  /** A prompt wants context; after a stop, what was said is remembered; anything else is not for a memory. */
  kind: HookEventKind;
  /** The agent's name for the session; empty if it has none. */
  session: string;
  /** What the user asks; empty if the event has no words. */
  prompt: string;
  /** What the agent answered, from agents that say it here instead of in a transcript. */
  answer: string;
  /** The file of the transcript; null if there is none. */
  transcript: string | null;
  /** The folder in which the agent works; null if it does not say. */
  folder: string | null;
  /** When it happened, if the agent says so. */
  at: string | null;
};

export type HookEventKind = 'prompt' | 'stop' | 'other';

/** The input of a hook is not what an agent sends. */
class NotAnEvent extends Error {
  override readonly name = 'NotAnEvent';
}

/** The events of Claude Code and agents like it, of Cursor, and of Gemini CLI. */
const KINDS: Readonly<Record<string, HookEventKind>> = {
  UserPromptSubmit: 'prompt',
  beforeSubmitPrompt: 'prompt',
  BeforeAgent: 'prompt',
  Stop: 'stop',
  SessionEnd: 'stop',
  stop: 'stop',
  sessionEnd: 'stop',
  AfterAgent: 'stop',
};

/**
 * Reads the JSON that an agent writes to the standard input of a hook.
 * @param given the kind of the event, for agents whose JSON does not name it
 * @throws NotAnEvent if it is not a JSON object
 */
export function readEvent(text: string, given: HookEventKind | undefined): HookEvent {
  const fields = parse(text);
  /** The first of these fields that is a text. */
  const pick = (...names: string[]): string =>
    names.map((name) => fields[name]).find((value): value is string => typeof value === 'string') ??
    '';
  const name = pick('hook_event_name', 'hookEventName');
  const roots = fields.workspace_roots;
  const root: unknown = Array.isArray(roots) ? roots[0] : undefined;
  return {
    name,
    kind: given ?? KINDS[name] ?? 'other',
    session: pick('session_id', 'sessionId', 'conversation_id', 'conversationId'),
    prompt: pick('prompt'),
    answer: pick('prompt_response'),
    transcript: pick('transcript_path', 'transcriptPath') || null,
    folder: pick('cwd') || (typeof root === 'string' ? root : null),
    at: pick('timestamp') || null,
  };
}

function parse(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new NotAnEvent('Standard input is not JSON');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new NotAnEvent('Standard input is not a JSON object');
}
