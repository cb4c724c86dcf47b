import { factKey } from '../../../../domain/facts/fact-key.ts';
import { MONTH_NAMES, WEEKDAY } from '../../../../language/en/time/named-date.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { type Draft, NEGATIVE, type Rule, rule, stated } from '../text/draft.ts';
import { deedOf, thingOf } from '../text/phrases.ts';

const goal = (text: string, says: string, confidence = 0.9): Draft | null => {
  const value = deedOf(text);
  if (
    value === '' ||
    value.split(' ').length > 25 ||
    /^(?:it|this|that|simple|the same|clear|not to|you|to know|what|unclear)\b/i.test(value)
  )
    return null;
  const key = factKey('goal', objectOf(value));
  return stated('GOAL', value, `${says} ${value}`, { key, importance: 0.7, confidence });
};

const saving = (deed: string): Draft | null =>
  goal(deed.replace(/^(?:buy|get) /, ''), 'is saving for');

/** The verb and its object, without time and manner, for the key. */
const objectOf = (value: string): string => {
  const [verb = '', ...rest] = value.replace(/^to /, '').split(' ');
  const thing = thingOf(rest.join(' ').replace(/^(?:an?|the|my|our|for|up|to|in) /i, ''));
  return thing === null ? value.split(' ').slice(0, 5).join(' ') : `${verb} ${thing}`;
};

/** Activities that are long-term aims. */
const AIM = source`
  (?:become|be an?|be a|be able to|learn|run (?:an?|the|my|\d+)|finish (?:an?|the|my)|complete (?:an?|the|my)|lose
  |quit|stop|give up|move|emigrate|relocate|travel|visit|see (?:the (?:northern lights|world|pyramids)|japan|every)
  |write (?:an?|my) (?:book|novel|memoir|thesis|cookbook|play|screenplay|children)|publish|start (?:my|an?|our|up
  |working out|running|meditating)|open (?:my|an?|our)|buy (?:an?|my|our) (?:[\p{L}-]+ )?(?:house|home|flat
  |apartment|farm|boat|cottage|place|cabin|van|camper|car)|retire|get (?:fit|fitter|better at|into shape|in shape
  |promoted|my|an? (?:job|degree|dog|cat)|out of debt|healthier|stronger|married|pregnant|certified|back into
  |qualified|fluent)|save|climb|master|swim|cycle|sail|walk the|hike the|read (?:\d+|more|fifty|twenty|thirty
  |a book)|pass|qualify|graduate|do (?:a|my) (?:phd|master|marathon|triathlon|degree|handstand)|go (?:back to
  |to (?:university|college|japan)|vegan|part-time|freelance|travelling|traveling)|change careers?|switch careers?
  |build (?:an?|my|our)|pay off|reduce|cut|speak|improve|live (?:in|abroad|off)|adopt|have kids|apply (?:to|for)
  |study|train|compete|cross|break|beat|work (?:abroad|for myself|less|part-time|as)|own|found|win|sleep more
  |spend (?:more|less)|exercise|eat (?:less|more|healthier)|drink (?:less|more)|play (?:in|the)|perform|sing in
  |volunteer|teach|raise|grow my|join (?:an?|the)|take up|bench|deadlift|squat|circumnavigate|restore)\b
`;
const SOME_DAY = pattern('i')`
  \b(?:one day|some ?day|eventually|before I (?:am|turn|die)|by (?:the (?:end|time)|next|christmas|summer|spring
  |autumn|winter|20\d\d|my|${MONTH_NAMES}|thirty|forty|fifty)|this (?:year|summer|autumn|spring|winter)|next (?:year
  |summer|spring|autumn|winter|decade)|in (?:the )?(?:next|coming|a) (?:few |couple of )?years?|in (?:19|20)\d\d
  |when I (?:retire|am older|grow up|graduate)|in the long run|long-term|for good|within (?:a|two|three|five
  |ten) years?)\b
`;
const NOT_AN_AIM = pattern('iu')`
  ^(?:know|see (?:if|what|how|the (?:menu|list|price)|it|that|this|my)|find|ask|make sure|understand|buy (?:some
  |this|that|the|her|him|a (?:gift|present|ticket))|book|order|print|check|try|send|call|use|add|fix|(?:change|cut
  |reduce|improve|break|stop|save|move|apply|do) (?:the|this|that|it)\b|go (?:out|home|there|with|for)|get (?:this
  |it|that|there|home|rid|some|the|in touch|started|going)|say|talk|think|start with|write (?:an? )?(?:e-?mail
  |letter|message|note|reply|function|script|test)|stop (?:by|here)|save (?:time|space|a file|my file)
  |move (?:my (?:meeting|file|appointment)|on|files)|visit (?:(?:the|an?|some|any) (?:[\p{Ll}]+ )?(?:museum|castle
  |site|office|college|attraction|park|church|club|gallery|theatre|cinema|pool|place|architecture)|you|him|her)
  |run (?:a|the) (?:test|query|script|command|backup|report)|build (?:a|the) (?:table|query|form|spreadsheet
  |function|docker|image)|apply a filter|pass (?:a|the) (?:parameter|variable|argument|message)|reduce file
  |join (?:the|two) (?:tables?|meeting|call)|learn (?:more )?(?:about (?:this|it)|what|how (?:this|that|it))
  |improve my (?:text|sentence|query|cv|cover))\b
`;

const AIMS = `(?<deed>${AIM}.*)`;
const STARTS_WITH_AIM = new RegExp(`^${AIMS}`, 'iu');

const BIG_GOAL = pattern('u')`
  \b(?:exams?|marathon|triathlon|ironman|race|finals?|[a-z]*test|certificat\w+|10k|half|championships?|olympics?
  |audition|competition|\p{Lu}{2,5}|licen[cs]e)\b
`;

/** The user's goals. */
export const GOALS: readonly Rule[] = [
  rule(
    (deed) => goal(deed, 'has the goal:'),
    /^(?:not|no longer|over|gone|a (?:mess|mistake)|impossible|clear)\b/i,
  )`
    (?:(?:please )?forget (?:about )?(?:(?:the |my |that )?[^,.;!?]{3,60}?)[,;]? (?:and )?)?(?:my|our) (?:(?:new
    |main|big|biggest|ultimate|long-term|long term|current|only|personal|real|next|secret|life|lifelong
    |actual) ){0,4}(?:goal|aim|dream|ambition|target|plan|resolution|mission|objective|new year's resolution
    |aspiration|intention)(?: (?:this (?:year|month|spring|summer|autumn|winter)|for (?:this|the|next
    |\d{4})[\p{L} ]*?|in life|now|these days|at the moment))?(?: (?:is|'s|was always|has always been|is now|remains)
    |:)(?: now| still| actually| simply| just){0,4}:? (?:now )?(?:to |that I |for me to )?(?<deed>.+)
  `,
  rule((deed, { text }, { known }) => {
    if (
      !/want to|wanting|planning|training|saving|hoping|aiming|goal|dream|idea of|gave up|given up/.test(
        text,
      )
    )
      return null;
    const value = deedOf(deed);
    const words = value
      .toLowerCase()
      .split(/\W+/)
      .filter((word) => word.length > 3);
    const old = known.find(
      ({ category, value: held }) =>
        category === 'GOAL' && words.some((word) => held.toLowerCase().includes(word)),
    );
    if (!old) return null;
    const more = { key: old.key, isCorrection: true, ...NEGATIVE };
    return stated('GOAL', old.value, `no longer has the goal: ${old.value}`, more);
  })`
    We (?:do not|no longer|am not|are not|have given up on|gave up on|have stopped|am no longer|are no longer
    |have abandoned|dropped|have dropped) (?:want to|wanting to|planning to|training for|saving for|saving up for
    |hoping to|trying to|aiming for|the idea of|the goal of|my (?:goal|dream|plan) (?:of|to)
    |going for)? ?(?<deed>.+)
  `,
  rule(saving)`
    We (?:am|are|have been|have started) ~(?:saving|putting money aside|setting money aside|saving money
    |putting money away)(?: up)?(?: money)? (?:for|to buy|to get|towards|toward) (?<deed>.+)
  `,
  rule(saving)`We (?:save|put (?:\w+ )?aside) (?:up )?(?:every month |money )?for (?<deed>.+)`,
  rule((deed, { text }) =>
    (/\b(?:preparing|getting ready|prepping|gearing up)\b/.test(text) && !BIG_GOAL.test(deed)) ||
    /^(?:my|the) (?:business|studio|shop|team|students)\b/i.test(deed)
      ? null
      : goal(deed, 'is training for'),
  )`
    We (?:am|are|have been|have started) ~(?:training|preparing|practi[sc]ing|studying|cramming|revising
    |getting ready|in training|gearing up|prepping|in the middle of training|training hard) (?:for|to (?:run|do
    |become|be|climb|swim|complete)) (?<deed>.+)
  `,
  rule((deed, { text }) =>
    /\bgoing for\b/.test(text) ||
    /\bworking for\b/.test(text) ||
    /^(?:a (?:solution|walk|run)|it|that|this|me|the (?:best|deadline))\b/i.test(deed)
      ? null
      : goal(deed, 'works towards'),
  )`
    We (?:am|are) ~(?:working|building|striving|pushing|aiming|shooting|going|on my way) ~(?:towards?|for
    |to(?:wards)? becoming) (?<deed>.+)
  `,
  rule(
    (what) => goal(`learn ${what}`, 'wants to'),
    pattern('i')`
      ^(?:about|nothing|anything|something|that|from|a lot|a ton|loads|lots|with|as I go|by|alongside|the hard way
      |it|this|more|so much|the ropes|new things)\b
    `,
  )`
    We (?:am|are|have been|have started) ~learning (?:how )?(?<what>.+)
  `,
  rule((deed, { text }) => wanted(deed, text))`
    (?:(?:one day|some ?day|eventually|this year|next year|by next \w+|before I turn \w+|before I am \w+
    |in the long run|when I grow up),? )?(?:I|we) (?:(?:really|still|also|just|one day|someday|eventually|always|do
    |am|are|have|would|will|have always|very much|badly|desperately|secretly|finally|now|actually
    |only) ){0,4}(?:want|wanted|hope|hoping|plan|planning|intend|intending|aim|aiming|would love|love|like|dream of
    |dreaming of|am determined|determined|trying|going|resolved|decided|aspire|aspiring|set out|set myself the goal
    |have set myself the goal|would like|dream about|set a goal|have a goal|have decided|committed|have a dream
    |promised myself|working up|am aiming) (?:(?:one day|some ?day|eventually|finally|also|really|to|of|for
    |hard) ){0,4}(?<deed>.+)
  `,
  rule((deed, { text }) =>
    /going for|^(?:a|the) (?:walk|simple|clean|look|natural|minimal)/.test(text)
      ? null
      : goal(deed, 'aims for', 0.8),
  )`
    We (?:am|are) (?:also )?(?:aiming|shooting|going) for (?<deed>(?:an? |the |\d)[^,.;!?]+)
  `,
  rule((deed) => goal(deed, 'has the goal:'))`
    I have set myself (?:the|a) (?:goal|target|challenge) (?:of |to )(?<deed>.+)
  `,
];

/** Aims that name nothing: "visit them". */
const NAMELESS = /^\S+ (?:them|it|there|this|that|you)\b|^get my head\b/i;

const TODAY = pattern('i')`
  \b(?:today|tonight|tomorrow|this (?:evening|afternoon|morning|weekend)|right now|on (?:${WEEKDAY})|next week
  |in a minute)\b
`;
const DREAM = /\b(?:one day|some ?day|eventually|before I (?:am|turn|die)|in the long run)\b/i;

/** Whether the words before a verb express a wish: "I want to …", but not "I love to …" or "I wanted to …". */
function isWish(lead: string): boolean {
  const isTaste = /\b(?:I|we) (?:really |also |just |do |always ){0,4}(?:love|like|wanted)\b/.test(
    lead,
  );
  return (
    (!isTaste || /\balways wanted\b/.test(lead)) &&
    /\b(?:to|of|goal)\s*(?:(?:one day|some ?day|eventually|finally|also|really)\s*){0,4}$/.test(
      lead,
    )
  );
}

function wanted(deed: string, text: string): Draft | null {
  const lead = text.slice(0, text.length - deed.length);
  if (!isWish(lead) || NOT_AN_AIM.test(deed) || NAMELESS.test(deed) || TODAY.test(text))
    return null;
  const isLater = SOME_DAY.test(text);
  const says = (): Draft | null => goal(deed, 'wants to', isLater ? 0.9 : 0.8);
  if (DREAM.test(text) && !/^(?:be|have|go|do)\b/.test(deed)) return says();
  const isWeak =
    /^(?:\w+ ){0,4}?(?:love|like|going|trying|decided|committed) /.test(text) &&
    !/\bwould love\b/.test(text);
  const isPlanned =
    isLater && /^(?:buy|get|own|build|move|rent|open|visit|learn) (?:an?|the|my|our) /.test(deed);
  if (isPlanned && !isWeak) return says();
  return isAim(deed, text) && (!isWeak || isLater || /\btrying\b/.test(text)) ? says() : null;
}

const isAim = (deed: string, text: string): boolean =>
  STARTS_WITH_AIM.test(deed) || (/^(?:[\p{L}]+ing)\b/u.test(deed) && /\bdream/.test(text));
