import { pattern } from '../../../../language/text/pattern.ts';
import { hasInOrder } from './phrases.ts';
import { withoutDoubleQuotes, withoutSingleQuotes } from './quotes.ts';

/** A request to work on a text: that text follows and is not the user's own words. */
const TEXT_WORK = pattern('i')`
  \b(?:translat\w+|summari[sz]\w+|rewrite|reword|rephrase|paraphrase|proof-?read|shorten|polish|edit|correct|improve
  |grade|continue|complete|finish|format|transcribe|classify|annotate|spell-?check|check|review|rate|grammar|read this
  |look at this|fix)\b
`;
const TEXT_KIND = pattern('i')`
  \b(?:e-?mail|letter|message|text|cv|resume|résumé|cover letter|review|bio|profile|story|poem|song|lyrics|paragraph
  |sentence|phrase|passage|article|essay|post|caption|tweet|comment|dialogue|transcript|script|advert|ad|listing|quote
  |excerpt|logs?|output|trace|applicant|candidate|testimonial|complaint|ticket|speech|joke|example)\b
`;
const SAID_BY_OTHERS = pattern('i')`
  \b(?:says?|said|reads?|wrote|writes|goes|went|like|replied|answered|sent|posted|texted|told me|shouted|sings?|sang
  |claims?|sign|line|lyrics?|quote|following|below|pasted?|here goes|example|e\.g|exercise)$
`;
const AT_HAND = /\b(?:this|these|following|below|it)\b|:$/i;
const GREETING = /^(?:dear|hi|hello|hey|to whom)\b.{0,61}$/i;
const CLOSING = /(?:regards|sincerely|best|cheers|yours|love|thanks|thank you)\b/i;
/** The maximum length of the name after the closing of a letter, in characters. */
const SIGNATURE = 40;
const LOG_LINE = pattern()`
  ^\s*(?:\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d(?::\d\d)?\]?\s|(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL)\b
  |at \S+ ?\(|Traceback|\$ |#+ |[{}[\]<]|<\w)|^\s*"?\w+"?\s*[:=]\s*["{[]|\w=\S+ \w+=\S
`;
const INVENTED = pattern('i')`
  \b(?:write|draft|compose|generate|create|invent|make up|come up with|give me|tell (?:me|us))\b (?:(?:me|us|up) )?
  (?:(?:an?|the|some|my) )?(?:[\w-]+ ){0,3}?(?:story|poem|song|bio|profile|monologue|character|persona|dialogue|scene
  |limerick|haiku|rap|sketch|script|diary|blurb|testimonial|review|ad(?:vert)?|speech|letter|e-?mail|message|post
  |caption|tweet|ticket|user stor\w+)\b
`;

/** How many characters before a colon or a dash are read to tell what follows it. */
const LEAD = 300;

/** Announces somebody's text below: "any mistakes?", "what do they want?". */
const SHOWN = pattern('i')`
  \b(?:here(?:'s| is| are) (?:what|the|an?|his|her|their|one|some)|(?:any|spot the) (?:mistakes|errors|typos)|wrote
  |got this|received this|came in|what (?:do|does|did) (?:they|he|she|it|this) (?:want|mean|say)|thoughts on this)\b
`;
/** A question or choice that announces a text: "What does this mean:", "the options:". */
const ASKS = /\b(?:what|how|which|why|explain)\b/i;
const MEANING_AT_END =
  /\b(?:means?|called|say|sounds?|translates?|options?|answers?|choices|lyrics?|line|joke|sentence|correct|right)$/i;
const CHOICES_AT_END = /\b(?:options|choices|multiple choice)$/i;

const PUBLIC_TEXT = pattern('gi')`
  \b(?:caption|sign|note|card|label|line|lyrics?|poster|tweet|post|e-?mail|message|letter|sticker|mug|t-?shirt|banner
  |headline|subtitle|slogan|out of office) (?:reads?|says?|goes|said)\b:? .*
`;
const SUBJECT_LINE = /^subject: /i;
const FORMAL_GREETING =
  /^dear (?:sir|madam|mr|ms|mrs|dr|hiring|team|colleagues|neighbou?rs|all|landlord|customer)\b/i;

/** Removes formal greetings, and everything from the subject line of a letter on. */
function withoutFormalLetter(lines: readonly string[]): readonly string[] {
  const subject = lines.findIndex((line) => SUBJECT_LINE.test(line.trimStart()));
  return (subject < 0 ? lines : lines.slice(0, subject)).map((line) =>
    FORMAL_GREETING.test(line.trimStart()) ? '' : line,
  );
}

const FIRST_OPTION = /(?:^|\s)\(?[a1]\) /i;
const NEXT_OPTION = /\s\(?[b2]\) /i;

/** Opens a point of the user's own, no option: "a) don't call me boss b) …". */
const OWN_POINT = /^(?:please|pls|don'?t|do not|never|always|stop|keep|no more)\b/i;
const NEXT_POINT = /\s\(?[b-h2-9]\) /gi;

/** Removes the options of a choice: "a) a cat b) a dog". Points of the user's own come on a line each. */
function withoutOptions(line: string): string {
  const first = FIRST_OPTION.exec(line);
  if (first === null) return line;
  const rest = line.slice(first.index + first[0].length);
  if (OWN_POINT.test(rest))
    return `${line.slice(0, first.index)}\n${rest.replace(NEXT_POINT, '\n')}`;
  return NEXT_OPTION.test(rest) ? `${line.slice(0, first.index)} ` : line;
}

/** The greeting of a mail that the user writes to the assistant. */
const TO_ASSISTANT = pattern('i')`
  ^(?:dear|hi|hello|hey) (?:my )?(?:assistant|ai|bot|robot|computer|machine|helper|friend|there
  |whoever\b.{0,20})[,.!:]*$
`;

/** Removes a letter, from its greeting to the name below its closing, unless it is the user's own mail to the assistant. */
function withoutLetter(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => GREETING.test(line.trim()));
  if (from === 0 && TO_ASSISTANT.test(lines[0]?.trim() ?? '')) return lines;
  const to = lines.findIndex((line, at) => from >= 0 && at > from && CLOSING.test(line));
  if (to < 0) return lines;
  const name = lines.slice(to + 1, to + 2).map((line) => line.slice(SIGNATURE));
  return [...lines.slice(0, from), '', ...name, ...lines.slice(to + 2)];
}

/** Whether the words before a colon, a dash or a line break announce somebody's text. */
function introducesText(lead: string, mark: string): boolean {
  const isBreak = mark !== ':';
  const works = TEXT_WORK.test(lead) && (!isBreak || TEXT_KIND.test(lead) || AT_HAND.test(lead));
  if (works || INVENTED.test(lead)) return true;
  const isShort = lead.length < 160;
  if (isBreak) {
    const names = TEXT_KIND.test(lead) && !/\b(?:my|an?)\b/i.test(lead);
    return (mark === '\n' && SHOWN.test(lead)) || (names && isShort);
  }
  const ends = TEXT_KIND.test(lead.split(/\s+/).slice(-2).join(' '));
  return (
    SAID_BY_OTHERS.test(lead) ||
    CHOICES_AT_END.test(lead) ||
    hasInOrder(lead, ASKS, MEANING_AT_END) ||
    (ends && isShort && !/\bfor my \w+$/i.test(lead))
  );
}

/** Removes the text that follows a request to work on it. */
function withoutPasted(text: string): string {
  for (const { index } of text.matchAll(/:(?=\s)(?! ?[)(DPp])|\n|\s[-–—]\s/g)) {
    const near = text.slice(Math.max(0, index - LEAD), index);
    const lead =
      near
        .split(/[.!?] |\n/)
        .at(-1)
        ?.trim() ?? '';
    if (introducesText(lead, text[index] ?? '')) return text.slice(0, index);
  }
  return text;
}

/** The person for whom a text is written ("a poem for my daughter Ellie"): they are real, whatever the text says. */
const forWhom = (sentence: string): string =>
  /\b(?:for|to) (?:my|our) (?:\p{Ll}+ ){1,2}\p{Lu}[\p{L}'’-]+/u.exec(sentence)?.[0] ?? ' ';

const IS_IT_REAL = pattern('i')`
  \bis (?:this|that|it)(?: (?:e-?mail|mail|message|text|letter|sms|dm|call|offer))?(?: \w+)? (?:a scam|scam|spam
  |phishing|legit|legitimate|real|fake|genuine)\b
`;
/** A line of a quoted dialogue: it begins with its speaker. */
const SPEAKER_LINE = /^\s*(?:\[[^\]]+\] ?)?\p{Lu}[\p{L}'’. -]{0,24}(?: ?\([^)]*\))?: \S/u;

function withoutTranscript(lines: readonly string[]): string[] {
  const isTalk = lines.length > 1 && lines.filter((line) => SPEAKER_LINE.test(line)).length > 1;
  return isTalk ? lines.filter((line) => !SPEAKER_LINE.test(line)) : [...lines];
}

/**
 * The speaker's own words in a turn: without code, quotes, forwarded lines, logs, letters and texts to work on,
 * since those are the words of others.
 */
export function ownWords(text: string): string {
  if (IS_IT_REAL.test(text)) return '';
  const lines = text
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .replace(/`([^`\n]*)`/g, (_whole, code: string) =>
      /^[\w .+#-]{1,30}$/.test(code) ? code : ' ',
    )
    .replace(/[’‘ʼ]/gu, "'")
    .replace(/[“”„«»]/gu, '"')
    .split('\n')
    .filter((line) => !/^\s*>/.test(line) && !LOG_LINE.test(line));
  const bare = withoutFormalLetter(withoutLetter(withoutTranscript(lines)))
    .map((line) => withoutSingleQuotes(withoutOptions(line.replace(PUBLIC_TEXT, ' '))))
    .join('\n');
  const unquoted = withoutPasted(withoutDoubleQuotes(bare)).replace(/"[^"]*$/, ' ⟨quoted⟩ ');
  return unquoted.replace(/[^.!?\n]*/g, (sentence) =>
    INVENTED.test(sentence) ? forWhom(sentence) : sentence,
  );
}

/** Opens a game of make-believe, in which statements are not true. */
export const MAKE_BELIEVE = pattern('i')`
  \b(?:let'?s|can we|could we|wanna|want to)\s{1,5}(?:pretend|improvise|act out|play (?:pretend|make[- ]believe
  |a (?:scene|game where))|role-?\s?play)|^\W*role-?\s?play\b|\b(?:role-?play (?:with me|as|that|this|scenario
  |exercise|practice)|pretend (?:to be|you|that|we|I|i'?m)|act (?:as|like)|in this (?:scenario|scene|game)
  |text adventure|imagine you(?:'re| are)|you(?:'ll| will|'re| are)? (?:be|play|playing) (?:the|a|my)\b|in character|I
  (?:'ll| will|'m| am)? (?:play|playing|be|(?:have|get) to play) (?:the|an?) (?:role|part|\w+ (?:guest|customer
  |patient|client|character|king|queen|knight|wizard))|(?:have|need|get) to play an? |you(?: are|'?re) (?:now )?(?:the
  |a|my) (?:receptionist|robot|doctor|waiter|interviewer|shopkeeper|customs|officer|villain|king|queen|wizard|dragon
  |captain|narrator|(?:dungeon|game) master|gm|dm)|I'?m (?:your|the) (?:employee|first mate|captain|king|queen|patient
  |customer|apprentice)|my character|(?:fictional|made-up|imaginary) \w|fake (?:character|profile|person|persona)
  |mock interview|practi[sc]e (?:dialogue|conversation))
`;
export const REAL_AGAIN = pattern('i')`
  \b(?:out of character|ooc|end (?:of )?(?:the )?(?:scene|role-?\s?play|game)|(?:stop|done|enough|finished) (?:with )?
  (?:the )?(?:role-?\s?play\w*|pretending|game)|back to (?:reality|real life|normal|business)|in real life
  |for real now|seriously now)\b
`;

export const SARCASM = pattern('i')`
  (?:^|[.!?]\s{1,5}|\n)\W{0,5}(?:oh,? (?:sure|great|fantastic|wonderful|brilliant|perfect|lovely|joy|yay|yeah|good
  |how)|yeah,? (?:right|sure)|sure,? because|as if|(?:great|wonderful|fantastic|lovely|brilliant|perfect|super|awesome
  |amazing|excellent|nice|marvellous|terrific|splendid),? (?:another|now|just|yet another|more|(?:the|my|our
  |it)\b[^.!?]{2,50}\b(?:again|late|down|broken|cancell?ed|crashed|delayed|full|closed))|just (?:great|what I
  |wonderful|perfect|brilliant)|because who doesn'?t|my favou?rite pastime)|\bbest day (?:of my life|ever)\b
  |\bsaid no ?(?:one|body) ever\b|(?:^|\s)\/s\b|\b(?:so much fun|what a (?:joy|treat|delight))[.!]{0,5}\s{0,5}(?:not\b
  |🙄)|🙄|\bnot!|\b(?:how )?I (?:(?:just|absolutely|really|simply|so|truly) ){0,4}(?:love|adore|enjoy) (?:it when|when
  |how|that|being (?:woken|stuck|ignored|put|told|kept|left|charged|called)|spending (?:\w+ ){1,3}(?:on hold
  |in (?:a )?(?:queue|traffic|line)|waiting)|waiting|queu\w+|paying|sitting in traffic|getting (?:woken|stuck|ignored
  |spam\w*|charged|rejected))
`;
