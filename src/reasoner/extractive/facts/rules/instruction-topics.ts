import { keyPart } from '../../../../domain/facts/fact-key.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { thingOf } from '../text/phrases.ts';
import { LANGUAGE } from '../text/words.ts';

export const VERB = source`
  (?:answer|reply|respond|write|use|give|show|tell|keep|include|add|explain|ask|avoid|skip|format|start|begin|end
  |finish|cite|put|suggest|recommend|send|speak|talk|make|provide|list|summari[sz]e|translate|address|limit
  |double-?check|check|remind|assume|apologi[sz]e|mention|repeat|leave|stick|spell|state|quote|say|greet|open|close
  |convert|express|describe|offer|point|link|call|treat|refer|stop|stay|get|be|cut|drop|order|sort|round|number|label
  |mark|bold|name|present|structure|break|spare|warn|flag|correct|propose|return|output|print|comment|attach|prefer
  |let|try|wrap|shorten|simplify|split|do|go|schedule|book|set|help|read|message|sign|save|confirm|note|justify|pick
  |choose|highlight|indent|lead|sum|think|work|wait|interrupt|lecture|flatter|praise|guess|invent|hallucinate
  |compliment|sugar-?coat|beat|ramble|patroni[sz]e|waffle|over-?explain|capitali[sz]e|abbreviate|emphasi[sz]e|thank
  |congratulate|joke|morali[sz]e|refuse|push|swear|curse|omit|hide|shout|nag|disclose|share|post|upload|forward|log)
`;
/** The topics of instructions, which are part of the key: of two instructions with one topic the newer replaces the older. */
const TOPICS = Object.entries({
  emoji: /\bemojis?\b|\bemoticons?\b|\bsmileys?\b/i,
  spelling:
    /\b(?:british|american|uk|us|english|canadian|australian) (?:english )?spelling\b|\bspell(?:ing)?\b/i,
  language: pattern('iu')`
    \b(?:in|to|use|using|speak|auf
    |with me in) (?:plain |simple |formal |brazilian |british |american ){0,4}${LANGUAGE}(?![\p{L}])
    |\b${LANGUAGE} (?:only|please)
  `,
  code_language:
    /\b(?:typescript|python|javascript|rust|java|kotlin|golang|ruby|swift|c\+\+|c#|php|haskell|scala|elixir|clojure|r code)\b/i,
  unit: pattern('i')`
    \bcelsius\b|\bfahrenheit\b|\bmetric\b|\bimperial\b|\bkilomet\w+|\bmiles\b|\bgrams?\b|\bounces\b|\bunits\b
    |\bkilos?\b|\blit(?:re|er)s?\b|\bmet(?:re|er)s\b|\bcups\b
  `,
  bullet_point: /\bbullet(?:s| ?points?| lists?)?\b/i,
  table: /\btables?\b/i,
  source: /\bsources?\b|\bcitations?\b|\bcite\b|\breferences?\b|\blinks?\b/i,
  apology: /\bapologi[sz]\w*|\bsay(?:ing)? sorry\b|\bsorry\b/i,
  date_format: /\b(?:24|12)[- ]?hour\b|\bdate format\b|\biso\b|\bdd\/mm|\bdates?\b/i,
  jargon:
    /\bjargon\b|\bplain (?:language|english|words)\b|\blayman|\bsimple (?:words|terms|language)\b|\btechnical (?:terms|language|jargon)\b/i,
  tone: /\bformal\w*\b|\binformal\w*\b|\bcasual\w*\b|\bpolite\w*\b|\btone\b|\bfriendl\w+|\bblunt\w*\b|\bfirst name\b|\bsurname\b/i,
  length: pattern('i')`
    \b(?:short|shorter|brief|briefly|concise|concisely|succinct|long|longer|detailed|in detail|detail|one[- ]line
    |one[- ]liners?|one sentence|lengthy|to the point|thorough\w*|compact|terse|(?:\d+|\w+) (?:words|sentences
    |paragraphs?|lines)|in[- ]depth|elaborate|crisp|bite-?sized?|word count|tl;?dr)\b
  `,
  exclamation_mark: /\bexclamation (?:marks?|points?)\b/i,
  format: /\bmarkdown\b|\bplain text\b|\bbold\b|\bheadings?\b|\bheaders?\b/i,
});

const BEFORE_OBJECT = pattern('i')`
  ^(?:${VERB}\s+(?:me|us|it|them)?\s*)?(?:(?:with|in|to|on|by|for|about|at|your|any|the|an?|me|from|of) )?
`;

/** The key of an instruction, made of its topic or else of its object; null if it has neither. */
export function topicOf(deed: string): string | null {
  const topic = TOPICS.find(([, pattern]) => pattern.test(deed));
  if (topic) return `instruction:${topic[0]}`;
  const object = thingOf(deed.replace(BEFORE_OBJECT, ''));
  const part = keyPart(object ?? deed.split(' ').slice(0, 4).join(' '));
  return part === '' ? null : `instruction:${part}`;
}
