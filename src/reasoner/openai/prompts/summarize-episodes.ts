import { summarizeEpisodesShapes } from '../../reasoner.ts';
import { DATES, dayIn, writePerson } from './person.ts';
import { fence, prompt, writeItems } from './prompt.ts';

/** Summarises several episodes (requirements 10.3). */
export const summarizeEpisodesPrompt = prompt({
  step: 'summarize-episodes',
  task: `You are summarizing a batch of conversation episodes into a single coherent memory.
Create ONE summary that captures important decisions and their outcomes, numbers and names with the dates on which they were
told, and any patterns in behavior or communication style.
- summary: concise (2-5 sentences), third person ("The user...", "They mentioned..."), focused on lasting, stable information,
  not transient details and not the deliberation before a decision. Where episodes disagree the later one holds. Do NOT list
  individual facts: a coherent narrative. The facts are known already and stand beside the memory. Do not repeat what earlier
  summaries say already; build on them.
${DATES}`,
  reply: summarizeEpisodesShapes.output,
  write: ({ person, facts, episodes, existing }, tokens) =>
    [
      ...writePerson(person, facts, tokens / 8),
      fence(
        'summaries',
        existing.length > 0 ? writeItems(existing, tokens / 4) : '(no earlier summaries)',
      ),
      fence(
        'episodes',
        writeItems(
          episodes.map(
            ({ title, summary, endedAt }) =>
              `${dayIn(endedAt, person)}${title === null ? '' : ` ${title}`}: ${summary}`,
          ),
          (tokens * 5) / 8,
        ),
      ),
    ].join('\n'),
  read: (reply) => reply,
});
