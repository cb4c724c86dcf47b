import { cached } from '../../../language/text/cached.ts';
import { pattern } from '../../../language/text/pattern.ts';
import { trimEndOf } from '../../../language/text/trim-end.ts';
import { plainEnglish } from '../text/plain-english.ts';
import { mentionedBeings, readBeings } from './beings/beings.ts';
import { CHARACTER } from './rules/character.ts';
import { AVAILABILITY, CIRCUMSTANCES } from './rules/circumstances.ts';
import { BIRTHDAY, CONTACT, PRONOUNS_AND_ZONE } from './rules/contact.ts';
import { DAILY_LIFE } from './rules/daily-life.ts';
import { EMPLOYERS } from './rules/employers.ts';
import { EXPERIENCE } from './rules/experience.ts';
import { FAMILY, mentionedFamily } from './rules/family.ts';
import { GOALS } from './rules/goals.ts';
import { HABITS, NATIONALITY, SUBJECTS_STUDIED } from './rules/habits.ts';
import { HOME } from './rules/home.ts';
import { CUE_FOR_GOOD, readInstructions } from './rules/instructions.ts';
import { LANGUAGES_SPOKEN } from './rules/languages.ts';
import { AVOIDED, DIET_AND_ALLERGY } from './rules/limits.ts';
import { AGES, NAMES } from './rules/name-and-age.ts';
import { PASTIMES } from './rules/pastimes.ts';
import { scoped } from './rules/scoped.ts';
import { ABILITIES } from './rules/skills.ts';
import { TASTES } from './rules/tastes.ts';
import { TOOLS } from './rules/tools.ts';
import { OCCUPATIONS } from './rules/work.ts';
import { type Clause, clausesOf } from './text/clauses.ts';
import { asCorrections, type Draft, firstReading } from './text/draft.ts';
import type { Scene } from './text/scene.ts';
import { selfCorrection } from './text/self-correction.ts';
import { isHastyPast } from './text/well-formed.ts';

/** All of these rules may read the same clause: "I am a 34-year-old nurse at …". */
const IDENTITY = [
  NAMES,
  AGES,
  BIRTHDAY,
  CONTACT,
  PRONOUNS_AND_ZONE,
  HOME,
  OCCUPATIONS,
  EMPLOYERS,
  SUBJECTS_STUDIED,
  NATIONALITY,
  LANGUAGES_SPOKEN,
];

/** Of these rules only the first that reads a clause counts; special rules come before general ones. */
const REST = [
  ...DIET_AND_ALLERGY,
  ...AVOIDED,
  ...AVAILABILITY,
  ...CIRCUMSTANCES,
  ...DAILY_LIFE,
  ...FAMILY,
  ...HABITS,
  ...TOOLS,
  ...PASTIMES,
  ...TASTES,
  ...GOALS,
  ...CHARACTER,
  ...ABILITIES,
  ...EXPERIENCE,
];

function readClause(clause: Clause, scene: Scene): Draft[] {
  const instructions = readInstructions(clause);
  if (instructions.length > 0 || clause.mood === 'CONDITIONAL') return instructions;
  if (isHastyPast(clause.text)) return [];
  const identity = IDENTITY.flatMap((rules) => firstReading(rules, clause, scene));
  const beings = readBeings(clause, scene);
  if (identity.length + beings.length > 0) {
    return [...identity.map((draft) => scoped(draft, clause)), ...beings];
  }
  return firstReading(REST, clause, scene).map((draft) => scoped(draft, clause));
}

const STANDING_REQUEST = pattern('i')`
  ^(?:please,? |ok,? |and |so ){0,4}(?:can|could|would|will) you (?:please )?(?=.*(?:${CUE_FOR_GOOD.source}|\bstop\b))
`;

/** Reads an instruction in the form of a question. */
function askedInstruction(sentence: string): Draft[] {
  const plain = plainEnglish(sentence).trim();
  if (!STANDING_REQUEST.test(plain)) return [];
  const text = trimEndOf(plain.replace(STANDING_REQUEST, ''), /\?/);
  return clausesOf(text).slice(0, 1).flatMap(readInstructions);
}

const clausesIn = cached(clausesOf);

/**
 * Reads the clauses of a sentence. Of instructions only the first counts: further ones ("don't apologise, just give me the
 * number") explain it, unless they have a cue of their own.
 */
function readClauses(sentence: string, scene: Scene): Draft[] {
  let isInstructed = false;
  return clausesIn(sentence).flatMap((clause) => {
    const drafts = readClause(clause, scene);
    const isInstruction = drafts.some(({ category }) => category === 'INSTRUCTION');
    const isMore = isInstruction && isInstructed && !CUE_FOR_GOOD.test(clause.own);
    isInstructed ||= isInstruction;
    return isMore ? [] : drafts;
  });
}

function readStraight(sentence: string, scene: Scene): Draft[] {
  const mentioned = mentionedBeings(plainEnglish(sentence), scene);
  const said = readClauses(sentence, scene);
  return [
    ...said,
    ...(said.length > 0 || !/[?]/.test(sentence) ? [] : askedInstruction(sentence)),
    ...mentioned,
    ...mentionedFamily(sentence),
  ];
}

/** Reads the facts of one sentence. If the sentence corrects itself ("Graz, no wait, Linz"), the corrected version is read. */
export function readSentence(sentence: string, scene: Scene): Draft[] {
  const corrected = selfCorrection(plainEnglish(sentence));
  if (!corrected) return readStraight(sentence, scene);
  const said = readStraight(`${corrected.said}.`, scene);
  const wrong = said.at(-1);
  const meant = readStraight(corrected.meant, scene);
  if (!wrong) return meant.length > 0 ? asCorrections(meant) : readStraight(sentence, scene);
  if (meant.some(({ key }) => key === wrong.key))
    return [...said.slice(0, -1), ...asCorrections(meant)];
  const at = corrected.said.lastIndexOf(wrong.value);
  const isWhole = /^(?:I|my|we|it|that|you|can|what|how|he|she)\b/i.test(corrected.meant);
  if (at < 0 || meant.length > 0 || isWhole) return [...said, ...meant];
  const again = asCorrections(readStraight(corrected.said.slice(0, at) + corrected.meant, scene));
  const frontOf = ({ key }: Draft) => key?.split(':')[0];
  return again.some((one) => frontOf(one) === frontOf(wrong)) ? again : said;
}
