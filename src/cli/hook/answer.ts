import type { HookEvent } from './event.ts';

/** What a hook prints so that its agent adds a text to the prompt: JSON for agents that read it, else the text itself. */
export function answerTo({ name }: Pick<HookEvent, 'name'>, context: string): string {
  switch (name) {
    case 'UserPromptSubmit':
    case 'BeforeAgent':
      return JSON.stringify({
        hookSpecificOutput: { hookEventName: name, additionalContext: context },
      });
    case 'beforeSubmitPrompt':
      return JSON.stringify({ continue: true, additional_context: context });
    default:
      return context;
  }
}
