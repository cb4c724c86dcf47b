import { summarizeEpisodes } from '../../reasoner.ts';
import { fence, prompt, writeItems } from '../prompt.ts';

/** One narrative of N episodes (seed 003 §2.2). */
export const summarizeEpisodesPrompt = prompt({
  step: 'summarize-episodes',
  task: `You are summarizing a batch of conversation episodes into a single coherent memory.
Create ONE summary that captures key facts about the user (name, preferences, context), important decisions or statements made, and any patterns in behavior or communication style.
- summary: concise (2-5 sentences), third person ("The user...", "They mentioned..."), focused on lasting, stable information, not transient details. Do NOT list individual facts: a coherent narrative. Do not repeat what earlier summaries say already; build on them.`,
  reply: summarizeEpisodes.output,
  write: ({ episodes, existing }, tokens) =>
    [
      fence(
        'summaries',
        existing.length > 0 ? writeItems(existing, tokens / 4) : '(no earlier summaries)',
      ),
      fence(
        'episodes',
        writeItems(
          episodes.map(
            ({ title, summary, endedAt }) =>
              `${endedAt.toISOString().slice(0, 10)} ${title}: ${summary}`,
          ),
          (tokens * 3) / 4,
        ),
      ),
    ].join('\n'),
  read: (reply) => reply,
});
