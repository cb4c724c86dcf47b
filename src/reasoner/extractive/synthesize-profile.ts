import type { FactCategory } from '../../domain/facts/fact.ts';
import { bareWords } from '../../language/text/bare-words.ts';
import type { StepArguments, StepOutput, ValidFact } from '../reasoner.ts';
import { outcomeIn } from './quotes/outcomes.ts';
import { quotedSentences, ROLE_NAMES } from './quotes/quotes.ts';
import { withStop } from './text/clean-text.ts';

/** The keys of identity facts about work. */
const WORK_KEY = /^profile:(?:employer|occupation|role|school)\b/;
/** The limits of a profile: statements of one kind, characters of a statement (dictated ones ramble), decisions. */
const MOST = { statements: 6, characters: 160, decisions: 3 } as const;

const DATED = /^(\d{4}-\d{2}-\d{2}): (.+)$/;

/**
 * Describes how to work with a person: the active facts by topic, each once and word for word, the most important first;
 * then the latest decisions. A section without facts is empty, and so is all of it without facts and decisions.
 */
export function composeProfile({
  person,
  facts,
  memories,
}: StepArguments<'synthesize-profile'>): StepOutput<'synthesize-profile'> {
  const all = once(facts);
  const about = (...categories: FactCategory[]) =>
    statementsOf(all.filter((fact) => !isWork(fact) && categories.includes(fact.category)));
  const communication = [about('INSTRUCTION'), about('PREFERENCE')].filter(Boolean).join(' ');
  const technical = statementsOf(all.filter((f) => isWork(f) || f.category === 'EXPERIENCE'));
  const workPattern = about('PERSONALITY');
  const personalContext = [
    headed('About them', about('IDENTITY', 'INTEREST')),
    headed('People', about('RELATIONSHIP')),
    headed('Health and limits', about('CONSTRAINT')),
    headed('Goals', about('GOAL')),
  ]
    .filter(Boolean)
    .join('\n');
  const prose = [
    headed('How to work with them', communication),
    headed('Work and skills', technical),
    headed('Habits', workPattern),
    personalContext,
    headed('Latest decisions', decisionsOf(memories, person.name)),
  ]
    .filter(Boolean)
    .join('\n');
  // If no fact is short enough or has a section, the most important one stands alone.
  const main = facts[0]?.statement ?? '';
  return { communication, technical, workPattern, personalContext, prose: prose || main };
}

const isWork = ({ key }: ValidFact): boolean => key !== null && WORK_KEY.test(key);

const headed = (heading: string, text: string): string => (text ? `${heading}: ${text}` : '');

/** Keeps each statement once, whatever its category. */
const once = (facts: readonly ValidFact[]): ValidFact[] =>
  [
    ...new Map(
      facts
        .filter(({ statement }) => statement.length <= MOST.characters)
        .toReversed()
        .map((fact) => [bareWords(fact.statement), fact]),
    ).values(),
  ].reverse();

const statementsOf = (facts: readonly ValidFact[]): string =>
  facts
    .slice(0, MOST.statements)
    .map(({ statement }) => withStop(statement.replace(/\s+/g, ' ')))
    .join(' ');

/** The latest sentences of the memories that state a decision or an achievement of this person. */
function decisionsOf(memories: readonly { summary: string }[], name: string | null): string {
  const decided = memories.flatMap(({ summary }) =>
    summary.split('\n').flatMap((line) => {
      const [, day, text] = DATED.exec(line) ?? [];
      const own = quotedSentences(text ?? '').filter(
        ({ speaker }) => speaker === null || speaker === name || speaker === ROLE_NAMES.USER,
      );
      return own.flatMap((said) => (outcomeIn(said.text) === null ? [] : [`${day}: ${said.text}`]));
    }),
  );
  return [...new Set(decided)].slice(-MOST.decisions).join(' ');
}
