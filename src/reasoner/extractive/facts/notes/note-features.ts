import { pattern, source } from '../../../../language/text/pattern.ts';

/** A sentence of a turn and its place. */
export type Placed = {
  text: string;
  /** Whether it is the last of its turn. */
  isLast: boolean;
  /** Whether it follows a question of the assistant. */
  isAnswer: boolean;
};

/** Words and phrases by what they indicate; "*" stands for any ending. */
const CUES = {
  standing: source`
    always|never|ever|every|each|forever|for good|weekly|daily|monthly|usually|anymore|any more|no more|from now on
    |rule|rules|policy|standard|default|regular*|permanently|limit|max|maximum|minimum|min|at most|only|unless
    |whenever
  `,
  change: source`
    now|no longer|instead|since|as of|until|till|til|from|these days|nowadays|switched|swapped|changed|changes|moves
    |moved|stays|still|back to|again|new|start|starts|starting|end|ends|last day
  `,
  negation: source`
    no|not|don't|dont|doesn't|doesnt|didn't|didnt|won't|wont|can't|cant|cannot|isn't|isnt|aren't|arent|never|nothing
    |none|without|nor|ain't|aint|nobody|hate|hates|avoid
  `,
  decision: source`
    decided|decision|settled|chose|chosen|picked|going with|go with|went with|booked|bought|ordered|signed|accepted
    |said yes|said no|agreed|deal|confirmed|final|cancelled|canceled|quit|gave up|giving up|stopped|dropped|left
    |leaving|resigned|sold|paid|hired|take|took|taking|got|keep|keeping|stay|staying|stays|off|out|done|moved
  `,
  courtesy: "please|pls|plz|ta|thanks|thx|kindly|if you would|if you don't mind",
  style: source`
    short|shorter|long|longer|brief|bullet|bullets|line|lines|sentence|sentences|word|words|emoji*|smiley*|exclamation
    |table|tables|format*|markdown|tone|formal|informal|casual|spelling|grammar|metric|units|cm|mm|kg|celsius|24h
    |number|numbers|code first|comment|comments|step|steps|one at a time|example|examples|plain|jargon|summary|answer
    |answers|reply|replies|draft|drafts|english|explain|caps|sign off|sign it|dot|dots|stars|dashes|asterisks|headings
    |prose|paragraphs|inches|imperial|fahrenheit
  `,
  fleeting: source`
    today|tonight|tomorrow|tmrw|yesterday|just now|right now|this morning|this afternoon|this evening|last night|brb
    |minute|minutes|mins|moment|hour|ago|currently
  `,
  report: source`
    said|says|say|told|tells|asked|asks|thinks|thought|reckons|claims|wrote|texted|swears|heard|according|call|calls
    |announced|suggested|wants
  `,
  request: source`
    help|need|draft|write|check|fix|explain|tell me|show me|give me|translate|summarise|summarize|list|compare|idea
    |ideas|tips|suggest|recommend|thoughts|look at
  `,
  season: source`
    jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september|october
    |november|december|spring|summer|autumn|winter|easter|christmas|year|years|yr|yrs
  `,
  naming: "called|named|name is|name's|names|full name|call me|sign it",
  health: source`
    allerg*|intoleran*|diagnos*|diabet*|asthma*|adhd|autis*|dyslexi*|migraine*|pregnan*|insulin|tablet|tablets|pill
    |pills|meds|medication|medicine|surgery|injur*|knee|hip|shoulder|coeliac|celiac|gluten|lactose|dairy|nut|nuts
    |vegan|veggie|vegetarian|halal|kosher|deaf|blind|wheelchair|anxiety|depress*|epilep*|arthritis|doctor|physio
    |eczema|sober|alcohol|smoke|smoking|epipen|inhaler
  `,
  taste:
    "like|likes|love|loves|prefer|prefers|favourite|favorite|hate|hates|enjoy|enjoys|can't stand|sick of|done with|fed up",
  doubt: source`
    lol|haha*|lmao|maybe|might|perhaps|probably|would|could|should|wish|imagine|joking|kidding|jk|if|tempted
    |thinking of|thinking about|considering|or i|or we|not sure|dunno|wonder|hopefully|apparently|rumour|rumor|seems
    |guess|feels|lottery|lotto|someday|one day
  `,
  speaker: "i|i'm|im|i've|ive|i'd|id|i'll|ill|me|myself",
  own: 'my|mine|our|ours',
  others: "he|she|they|he's|she's|hes|shes|his|her|him|their|them",
  kin: source`
    mother|mum|mom|father|dad|parent|parents|grandma|grandpa|grandmother|grandfather|nan|granny|sister|brother|son
    |daughter|kid|kids|child|children|baby|wife|husband|partner|girlfriend|boyfriend|gf|bf|fianc*|ex|aunt|auntie|uncle
    |cousin|niece|nephew|twins|mother-in-law|father-in-law|family
  `,
} as const;

const entries = (list: string): string[] =>
  list.split('|').map((entry) => ` ${entry.endsWith('*') ? entry.slice(0, -1) : `${entry} `}`);
const LISTS = Object.entries(CUES).map(([name, list]) => [name, entries(list)] as const);

const LEAD =
  /^(?:\(?[a-h1-9][.)] )?(?:(?:and|so|but|also|oh|ok|btw|please|pls|yeah|well|just|then|ps|plus|hey|hi|q|right)[, :]+){0,4}/i;
const ALSO =
  /^(?:also|btw|ps|oh|unrelated|sidebar|and|plus|fyi|update|one more|other thing|number|by the way|new|note|rule)\b/i;
const ORDER = pattern('i')`
  ^(?:no|never|always|don't|dont|do not|keep|use|call|write|give|send|put|add|make|stop|start|skip|leave|remember|note
  |remind|sign|answer|reply|talk|speak|say|show|explain|assume|stick|save|file|ask|let|treat|mark|avoid)\b
`;
const QUESTION = pattern('i')`
  ^(?:what|whats|what's|how|hows|how's|why|when|where|who|which|can|could|should|would|is|are|do|does|did|will|any
  |shall|am|was|have|has)\b
`;
/** Forbids something in general: "don't do that" and the conclusion "so no stairs" do not. */
const PROHIBITION = /^(?:no|never|don'?t|do not)\b(?!.*\b(?:it|this|that)[.!]?$)/i;

/** The names of the features that `noteFeatures` measures, in the same order. */
export const NOTE_FEATURES = [
  ...(['standing', 'change', 'negation', 'decision', 'courtesy', 'style', 'fleeting'] as const),
  ...(['report', 'request', 'season', 'naming', 'health', 'taste', 'doubt'] as const),
  ...(['order', 'question', 'also', 'colon', 'exclamation', 'length', 'short'] as const),
  ...(['last', 'answer', 'commas', 'speakerNegation', 'orderedStyle', 'ownKin'] as const),
  ...(['speakerDoubt', 'othersReport'] as const),
];
/** `styleRule`: whether a sentence is a rule for all answers: "no dashes", "five lines at most". */
export type NoteFeatures = Record<
  (typeof NOTE_FEATURES)[number] | keyof typeof CUES | 'styleRule',
  number
>;

/** Measures the cues that a sentence says something durable; each is from 0 to about 3. */
export function noteFeatures(sentence: Placed): NoteFeatures {
  const { text, isLast, isAnswer } = sentence;
  const words = text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? [];
  const spaced = ` ${words.join(' ')} `;
  const has = Object.fromEntries(
    LISTS.map(([name, list]) => [name, list.some((entry) => spaced.includes(entry)) ? 1 : 0]),
  ) as Record<keyof typeof CUES, number>;
  const body = text.replace(LEAD, '');
  const order = Number(ORDER.test(body));
  const question = Number(text.includes('?') || QUESTION.test(body));
  const isRule = has.standing || (PROHIBITION.test(body) && !/^so\b/i.test(text));
  const isOther = question + has.request + has.speaker + has.others > 0;
  return {
    ...has,
    order,
    question,
    styleRule: Number(isRule && has.style && !isOther),
    also: Number(ALSO.test(text)),
    colon: Number(text.includes(':')),
    exclamation: Number(text.includes('!')),
    length: Math.min(words.length, 30) / 10,
    short: Number(words.length < 4),
    last: Number(isLast),
    answer: Number(isAnswer),
    commas: Math.min(text.split(',').length - 1, 4) / 2,
    speakerNegation: has.speaker * has.negation,
    orderedStyle: order * has.style,
    ownKin: has.own * has.kin,
    speakerDoubt: has.speaker * has.doubt,
    othersReport: has.others * has.report,
  };
}
