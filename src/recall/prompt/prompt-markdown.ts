import { DateTime } from 'luxon';
import type { KnownFact } from '../../db/facts/recalled.ts';
import type { TurnText as Turn } from '../../db/turns/turns.ts';
import type { Hit } from '../assemble.ts';
import { fenced, plain, plainStart, speakerOf } from '../format.ts';
import type { PromptMaterial, PromptSummary } from './prompt-budget.ts';

const stamp = (at: Date, timeZone: string, format: string): string =>
  DateTime.fromJSDate(at, { zone: timeZone }).toFormat(format);

type TurnHit = Extract<Hit, { kind: 'TURN' }>;

/** "- name: Alex". Facts outside the profile show their category, and negative ones are marked as such. */
export function profileLine({ key, value, category, polarity, statement }: KnownFact): string {
  const name = key?.startsWith('profile:') ? key.slice('profile:'.length) : null;
  if (name && polarity === 'POSITIVE')
    return `- ${plain(name.replaceAll(':', ' '))}: ${plain(value)}`;
  const kind = category.toLowerCase();
  return `- ${kind}${polarity === 'NEGATIVE' ? ', negative' : ''}: ${plain(statement)}`;
}

/** "- What's the weather tomorrow? (Sunny, high 72°F)" (requirements 13.3). */
export const exchangeLine = ({ question, answer }: PromptMaterial['exchanges'][number]): string =>
  `- ${plain(question)}${answer === null ? '' : ` (${plain(answer)})`}`;

export function summaryLine({ text, at, turns }: PromptSummary, timeZone: string): string {
  const parts = [
    ...(at ? [stamp(at, timeZone, 'yyyy-MM-dd')] : []),
    ...(turns === null ? [] : [`turns 1-${turns}`]),
  ];
  return `- ${parts.length > 0 ? `${parts.join(', ')}: ` : ''}${plain(text)}`;
}

export const turnLine = (turn: Turn): string => `${speakerOf(turn)}: ${plain(turn.text)}`;

/** A hit on one line: facts with their category, episodes with their time. */
export function hitLine(hit: Hit, timeZone: string): string {
  switch (hit.kind) {
    case 'FACT':
      return profileLine(hit.fact);
    case 'SEMANTIC_MEMORY':
      return `- ${plain(hit.memory.text)}`;
    case 'SKILL':
      return `- ${plain(hit.memory.name)}: ${plain(hit.memory.text)}`;
    case 'EPISODE': {
      const { endedAt, firstTurn, lastTurn, summary } = hit.episode;
      const moment = hit.keyMoment ? ', key moment' : '';
      const day = stamp(endedAt, timeZone, 'yyyy-MM-dd');
      return `- ${day}, turns ${firstTurn}-${lastTurn}${moment}: ${plain(summary)}`;
    }
    case 'TURN':
      return `- ${turnLine(hit.turn)}`;
  }
}

/** The day of a turn, as the heading of that day's turns. */
export const dayOf = ({ occurredAt }: Turn, timeZone: string): string =>
  stamp(occurredAt, timeZone, 'yyyy-MM-dd (ccc)');

/** Turns in event time, under their days. */
function daily(turns: readonly TurnHit[], timeZone: string): string[] {
  const days = new Map<string, string[]>();
  for (const hit of turns) {
    const day = dayOf(hit.turn, timeZone);
    days.set(day, [...(days.get(day) ?? []), hitLine(hit, timeZone)]);
  }
  return [...days].flatMap(([day, lines]) => [`${day}:`, ...lines]);
}

/** The time of a hit, by which hits are printed. */
const timeOf = (hit: Hit): number => {
  switch (hit.kind) {
    case 'FACT':
      return hit.fact.validFrom.getTime();
    case 'EPISODE':
      return hit.episode.endedAt.getTime();
    case 'TURN':
      return hit.turn.occurredAt.getTime();
    default:
      return hit.memory.at.getTime();
  }
};

/** Independent of the message, so that an unchanged profile stays in prompt caches. */
const byImportance = (a: KnownFact, b: KnownFact): number =>
  Number(b.pinned) - Number(a.pinned) || b.importance - a.importance || a.id - b.id;

/** The sections of the block for the prompt, in order. */
export const PROMPT_SECTIONS = [
  'KNOWN_FACTS',
  'PROFILE',
  'KNOWLEDGE',
  'EPISODES',
  'TURNS',
  'CONTINUITY',
  'WINDOW',
] as const;
type SectionName = (typeof PROMPT_SECTIONS)[number];

/** The text of each section that has one, with its heading. */
export function promptSections(material: PromptMaterial): { name: SectionName; text: string }[] {
  const { facts, profile, hits, summaries, window, timeZone } = material;
  const ordered = hits.toSorted((a, b) => timeOf(a) - timeOf(b) || a.rank - b.rank);
  const linesOf = (...kinds: Hit['kind'][]) =>
    ordered.filter(({ kind }) => kinds.includes(kind)).map((hit) => hitLine(hit, timeZone));
  const turns = ordered.filter((hit): hit is TurnHit => hit.kind === 'TURN');
  const sections: [SectionName, string, string[]][] = [
    ['KNOWN_FACTS', '## User Profile', facts.toSorted(byImportance).map(profileLine)],
    [
      'PROFILE',
      '## How to Work with the User',
      profile ? profile.prose.split('\n').map(plainStart) : [],
    ],
    ['KNOWLEDGE', '## What Is Known', linesOf('SEMANTIC_MEMORY', 'FACT', 'SKILL')],
    [
      'EPISODES',
      '## Recent Context',
      [...summaries.map((summary) => summaryLine(summary, timeZone)), ...linesOf('EPISODE')],
    ],
    ['TURNS', '## Related Messages', daily(turns, timeZone)],
    ['CONTINUITY', '## Continuity', continuityLines(material)],
    ['WINDOW', '# Recent Conversation', window.map(turnLine)],
  ];
  return sections.flatMap(([name, title, lines]) =>
    lines.length > 0 ? [{ name, text: `${title}\n${lines.join('\n')}` }] : [],
  );
}

/**
 * Formats the block for the prompt (requirements 13.4), fenced as data. What changes least comes first, for prompt caches;
 * each part is in order of time.
 */
export function promptMarkdown(material: PromptMaterial): string {
  const filled = promptSections(material).map(({ text }) => text);
  const block = fenced(['# Long-term Memory', ...(filled.length > 0 ? filled : ['No memories.'])]);
  return `${block}\n\nAnswer consistently using the memory and conversation above.`;
}

function continuityLines({ continuity, exchanges, message }: PromptMaterial): string[] {
  if (!continuity) return [];
  const { line, pause } = continuity;
  return [
    ...(line ? [plainStart(line)] : []),
    ...(exchanges.length > 0 ? ['Previous questions:', ...exchanges.map(exchangeLine)] : []),
    `Current question: ${plain(message)}`,
    ...(pause ? [`(${pause})`] : []),
  ];
}
