import type { z } from 'zod';
import type { StepOutput, synthesizeProfile as shapes } from '../reasoner.ts';
import type { Meaning } from './meaning.ts';
import { asSentence } from './quotes.ts';
import { rankSentences, similarityTable } from './rank-sentences.ts';
import { type Sentence, splitSentences } from './sentences.ts';

type Section = 'communication' | 'technical' | 'workPattern' | 'personalContext';

/** A sentence about one person: "Maya works", "The user's" is not one. */
const NAMED = /^(\p{Lu}\p{Ll}+|The user) (?=\p{Ll}+(?:s|ed)\b|was\b|has\b|went\b)/u;

/** In the order of the profile's text. */
const SECTIONS: readonly Section[] = [
  'communication',
  'technical',
  'workPattern',
  'personalContext',
];

/** What speaks for a section, and what speaks strongly. */
const CUES: Record<Section, { weak: RegExp; strong: RegExp }> = {
  communication: {
    strong:
      /\b(?:(?:prefers?|likes?|wants?|asked for|appreciates?|dislikes?|hates?) (?:\w+ ){0,3}(?:answers?|repl(?:y|ies)|explanations?|examples?|bullet points?|summar(?:y|ies)|feedback|tone|emails?|messages?|detail)|tone|concise(?:ly)?|brief(?:ly)?|verbose|bullet points?|jargon|formal(?:ly)?|informal(?:ly)?|straight to the point|small talk|step by step|emoji)\b/gi,
    weak: /\b(?:answers?|repl(?:y|ies)|explanations?|examples?|polite|humou?r|jokes?|short|detailed|language|spoken|written|communicat\w+|call(?:ed)? (?:them|him|her)|address(?:ed)?|questions?|feedback|directly?|plain)\b/gi,
  },
  technical: {
    strong:
      /\b(?:TypeScript|JavaScript|Python|Rust|Go(?:lang)?|Java|Kotlin|Swift|Ruby|PHP|SQL|Postgres(?:QL)?|MySQL|SQLite|Redis|Kafka|Docker|Kubernetes|Linux|macOS|Windows|Git(?:Hub|Lab)?|React|Vue|Svelte|Angular|Node(?:\.js)?|Deno|Bun|GraphQL|REST|AWS|Azure|Terraform|Vim|Neovim|Emacs|VS ?Code|IntelliJ|Figma|Excel|C\+\+|C#|API|CLI|CI)\b/g,
    weak: /\b(?:code|coding|programm\w+|software|frameworks?|librar(?:y|ies)|databases?|servers?|deploy\w*|tests?|testing|unit tests?|typed|lint\w*|formatt\w+|editor|IDE|repositor(?:y|ies)|branch(?:es)?|script\w*|backend|frontend|migration|cluster|bug|debug\w*|stack|tools?|app)\b/gi,
  },
  workPattern: {
    strong:
      /\b(?:(?:works?|working) (?:from home|remotely|late|early|part[- ]time|full[- ]time|nights?|weekends?|in the (?:morning|evening|afternoon)|best|alone|with a team|on)|deadlines?|meetings?|stand-?ups?|sprints?|shifts?|schedule|routine|time zone|office hours|plans? ahead|procrastinat\w*|to-?do lists?|priorit\w+|checklists?|code reviews?)\b/gi,
    weak: /\b(?:works?|working|job|office|team|project|colleagues?|boss|manager|client|clients|career|every (?:morning|day|evening|week|\w+day)|before noon|mornings?|evenings?|usually|focus\w*|plans?|planning|goals?|organi[sz]\w+|decid\w+|finish\w+|launch\w*|business)\b/gi,
  },
  personalContext: {
    strong:
      /\b(?:lives?|moved|born|grew up|married|engaged|divorced|wife|husband|partner|girlfriend|boyfriend|son|daughter|sons|daughters|kids?|children|mother|father|mom|mum|dad|parents?|sister|brother|grand\w+|family|dog|cat|pets?|allerg\w+|vegetarian|vegan|hometown|birthday|religio\w+|studies|studied|university|school|hobb(?:y|ies)|years old)\b/gi,
    weak: /\b(?:loves?|enjoys?|likes?|friends?|home|house|flat|travel\w*|trip|music|sports?|running|hik\w+|cook\w*|book|books|reading|paint\w*|games?|garden\w*|health|doctor|food|eats?|drinks?|volunteer\w*|camping|holiday|weekend|feels?|dream\w*|is an? \w+)\b/gi,
  },
};

const MOST = { sentences: 5, weighed: 150 } as const;
/** Sentences as alike as this say the same; the newer one is kept. */
const SAME = 0.88;

/**
 * How to work with a person: the memories' sentences, in their own words, sorted by what they speak
 * of, the central ones of each section in the order of the memories. The text is the sections one
 * after the other. Nothing is made up: a section that no sentence speaks of is empty.
 */
export async function synthesizeProfile(
  { memories }: z.output<(typeof shapes)['input']>,
  meaning: Meaning | null,
): Promise<StepOutput<'synthesize-profile'>> {
  const all = memories.flatMap(({ summary }, turn) =>
    named(splitSentences(summary)).map(
      (text): Sentence => ({ text: asSentence(text), turn, role: 'OTHER', speaker: null }),
    ),
  );
  const sentences = await withoutRepeats(all.slice(-MOST.weighed), meaning);
  const chosen = new Map<Section, string>();
  for (const section of SECTIONS) {
    const own = sentences.filter(({ text }) => sectionOf(text) === section);
    chosen.set(section, await digest(own, meaning));
  }
  const of = (section: Section) => chosen.get(section) ?? '';
  const prose = SECTIONS.map(of).filter(Boolean).join(' ');
  return {
    communication: of('communication'),
    technical: of('technical'),
    workPattern: of('workPattern'),
    personalContext: of('personalContext'),
    prose:
      prose !== '' ? prose : (await digest(sentences, meaning)) || (memories[0]?.summary ?? ''),
  };
}

/** "Maya is a nurse. She likes tea." → the second names Maya too, since it may stand alone. */
function named(sentences: readonly string[]): string[] {
  let name: string | null = null;
  return sentences.map((sentence) => {
    if (name !== null && /^(?:She|He) /.test(sentence)) return sentence.replace(/^\w+/, name);
    name = NAMED.exec(sentence)?.[1] ?? name;
    return sentence;
  });
}

/** The section that most cues speak for; null without any. Earlier sections win a tie. */
function sectionOf(text: string): Section | null {
  let best: Section | null = null;
  let most = 0;
  for (const section of SECTIONS) {
    const { strong, weak } = CUES[section];
    const votes = 2 * count(text, strong) + count(text, weak);
    if (votes > most) [best, most] = [section, votes];
  }
  return best;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

async function withoutRepeats(sentences: Sentence[], meaning: Meaning | null): Promise<Sentence[]> {
  const table = await similarityTable(
    sentences.map(({ text }) => text),
    meaning,
  );
  return sentences.filter((_, i) =>
    sentences.every((_other, j) => j <= i || (table[i]?.[j] ?? 0) < SAME),
  );
}

async function digest(sentences: readonly Sentence[], meaning: Meaning | null): Promise<string> {
  if (sentences.length === 0) return '';
  const ranked = await rankSentences(sentences, { meaning, worth: () => 1, most: MOST.weighed });
  return ranked
    .slice(0, MOST.sentences)
    .sort((a, b) => a.place - b.place)
    .map(({ text }) => text)
    .join(' ');
}
