import { factKey } from '../../../../domain/facts/fact-key.ts';
import { MONTH_NAMES, WEEKDAY } from '../../../../language/en/time/named-date.ts';
import { IgnoringCase } from '../../../../language/text/ignoring-case.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { type Draft, NEGATIVE, rule, stated } from '../text/draft.ts';
import { deedOf, thingOf } from '../text/phrases.ts';
import { LANGUAGE } from '../text/words.ts';

/** How a goal that is named as one is stated; "My goal is … now" replaces only such a goal. */
export const HAS_GOAL = 'has the goal:';

const NO_GOAL = /^(?:it|this|that|simple|the same|clear|not to|you|to know|what|unclear)\b/i;

const goal = (text: string, says: string, confidence = 0.9): Draft | null => {
  const value = deedOf(text);
  if (value === '' || value.split(' ').length > 25 || NO_GOAL.test(value)) return null;
  const key = factKey('goal', objectOf(value));
  return stated('GOAL', value, `${says} ${value}`, { key, importance: 0.7, confidence });
};

/** The verb and its object, without time and manner, for the key. */
const objectOf = (value: string): string => {
  const [verb = '', ...rest] = value.replace(/^to /, '').split(' ');
  const thing = thingOf(rest.join(' ').replace(/^(?:an?|the|my|our|for|up|to|in) /i, ''));
  return thing === null ? value.split(' ').slice(0, 5).join(' ') : `${verb} ${thing}`;
};

/** Activities that are long-term aims. */
const AIM = source`
  (?:become|be (?:an?|able to)|learn|run (?:an?|the|my|\d+)|(?:finish|complete) (?:an?|the|my)|lose|quit|stop|give up
  |move|emigrate|relocate|travel|visit|see (?:the (?:northern lights|world|pyramids)|japan|every)|write (?:an?
  |my) (?:book|novel|memoir|thesis|cookbook|play|screenplay)|publish|start (?:my|an?|our|up|working out|running
  |meditating)|open (?:my|an?|our)|buy (?:an?|my|our) (?:[\p{L}-]+ )?(?:house|home|flat|apartment|farm|boat|cottage
  |place|cabin|van|camper|car)|retire|get (?:fit|fitter|better at|into shape|in shape|promoted|my|an? (?:job|degree
  |dog|cat)|out of debt|healthier|stronger|married|pregnant|certified|back into|qualified|fluent)|save|climb|master
  |swim|cycle|sail|(?:walk|hike) the|read (?:\d+|more|fifty|twenty|thirty|a book)|pass|qualify|graduate|do (?:a
  |my) (?:phd|master|marathon|triathlon|degree|handstand)|go (?:back to|to (?:university|college|japan)|vegan
  |part-time|freelance|travell?ing)|(?:change|switch) careers?|build (?:an?|my|our)|pay off|reduce|cut|speak|improve
  |live (?:in|abroad|off)|adopt|have kids|apply (?:to|for)|study|train|compete|cross|break|beat|work (?:abroad
  |for myself|less|part-time|as)|own|found|win|sleep more|spend (?:more|less)|exercise|eat (?:less|more|healthier)
  |drink (?:less|more)|play (?:in|the)|perform|sing in|volunteer|teach|raise|grow my|join (?:an?|the)|take up|bench
  |deadlift|squat|restore)\b
`;
const DREAM = /\b(?:one day|some ?day|eventually|before I (?:am|turn|die)|in the long run)\b/i;
const SOME_DAY = pattern('i')`
  ${DREAM.source}|\b(?:by (?:the (?:end|time)|next|christmas|summer|spring|autumn|winter|20\d\d|my|${MONTH_NAMES}
  |thirty|forty|fifty)|(?:this|next) (?:year|summer|autumn|spring|winter|decade)|in (?:the )?(?:next|coming
  |a) (?:(?:few|couple of) )?years?|in (?:19|20)\d\d|when I (?:retire|am older|grow up|graduate)|long-term|for good
  |within (?:a|two|three|five|ten) years?)\b
`;
const NOT_AN_AIM = pattern('iu')`
  ^(?:know|see (?:if|what|how|the (?:menu|list|price)|it|that|this|my)|find|ask|make sure|understand|buy (?:some|this
  |that|the|her|him|a (?:gift|present|ticket))|book|order|print|check|try|send|call|use|add|fix|(?:change|cut|reduce
  |improve|break|stop|save|move|apply|do) (?:the|this|that|it)\b|go (?:out|home|there|with|for)|get (?:this|it|that
  |there|home|rid|some|the|in touch|started|going)|say|talk|think|start with|write (?:an? )?(?:e-?mail|letter|message
  |note|reply|function|script|test)|stop (?:by|here)|save (?:time|space|a file|my file)|move (?:my (?:meeting|file
  |appointment)|on|files)|visit (?:(?:the|an?|some|any) (?:[\p{Ll}]+ )?(?:museum|castle|site|office|college|attraction
  |park|church|club|gallery|theatre|cinema|pool|place|architecture)|you|him|her)|run (?:a|the) (?:test|query|script
  |command|backup|report)|build (?:a|the) (?:table|query|form|spreadsheet|function|docker|image)|apply a filter
  |pass (?:a|the) (?:parameter|variable|argument|message)|reduce file|join (?:the|two) (?:tables?|meeting|call)
  |learn (?:more )?(?:about (?:this|it)|what|how (?:this|that|it))|improve my (?:text|sentence|query|cv|cover)|get my head
  |\S+ (?:them|it|there|this|that|you))\b
`;

const STARTS_WITH_AIM = new IgnoringCase(`^${AIM}`);

const BIG_GOAL = pattern('u')`
  \b(?:exams?|marathon|triathlon|ironman|race|finals?|[a-z]*test|certificat\w+|10k|half|championships?|olympics?
  |audition|competition|\p{Lu}{2,5}|licen[cs]e)\b
`;

export const GOALS = [
  rule(
    (deed) => goal(deed, HAS_GOAL),
    /^(?:not|no longer|over|gone|a (?:mess|mistake)|impossible|clear)\b/i,
  )`
    (?:(?:please )?forget (?:about )?[^,.;!?]{3,60}?[,;]? (?:and )?)?(?:my|our) (?:(?:new|main|big|biggest|ultimate
    |long[- ]term|current|only|personal|real|next|secret|life|lifelong|actual|new year's) ){0,4}(?:goal|aim|dream
    |ambition|target|plan|resolution|mission|objective|aspiration|intention)(?: (?:this (?:year|month|spring|summer
    |autumn|winter)|for (?:this|the|next|\d{4})[\p{L} ]*?|in life|now|these days|at the moment))?(?: (?:is|'s
    |was always|has always been|is now|remains)|:)(?: now| still| actually| simply| just){0,4}:? (?:now )?
    (?:to |that I |for me to )?(?<deed>.+)
  `,
  rule((deed, { text }, { known }) => {
    const isGoal = /want|planning|training|saving|hoping|aiming|goal|dream|idea of|g[ai]ven? up/;
    if (!isGoal.test(text)) return null;
    const words: string[] =
      deedOf(deed)
        .toLowerCase()
        .match(/\w{4,}/g) ?? [];
    const old = known.find(
      ({ category, value: held }) =>
        category === 'GOAL' && words.some((word) => held.toLowerCase().includes(word)),
    );
    if (!old) return null;
    const more = { key: old.key, isCorrection: true, ...NEGATIVE };
    return stated('GOAL', old.value, `no longer ${HAS_GOAL} ${old.value}`, more);
  })`
    We (?:do not|no longer|(?:am|are) (?:not|no longer)|(?:have )?(?:given up on|gave up on|stopped|abandoned
    |dropped))[ ](?:(?:want|wanting|planning|hoping|trying) to|(?:training|saving(?: up)?|aiming|going) for
    |the (?:idea|goal) of|my (?:goal|dream|plan) (?:of|to))? ?(?<deed>.+)
  `,
  rule((deed) => goal(deed.replace(/^(?:buy|get) /, ''), 'is saving for'))`
    We (?:(?:am|are|have ~(?:been|started)) ~)?(?:sav(?:e|ing)|(?:put|set)(?:ting)? (?:money |\w+ )?(?:aside|away))
    (?: up)?(?: money| every month)? (?:for|to (?:buy|get)|towards?) (?<deed>.+)
  `,
  rule((deed, { text }) =>
    (/\b(?:preparing|getting ready|prepping|gearing up)\b/.test(text) && !BIG_GOAL.test(deed)) ||
    /^(?:my|the) (?:business|studio|shop|team|students)\b/i.test(deed)
      ? null
      : goal(deed, 'is training for'),
  )`
    We (?:am|are|have ~(?:been|started)) ~(?:training(?: hard)?|in (?:the middle of )?training|preparing|practi[sc]ing
    |studying|cramming|revising|getting ready|gearing up|prepping) (?:for|to (?:run|do|become|be|climb|swim
    |complete))[ ](?<deed>.+)
  `,
  rule((deed, { text }) =>
    /\b(?:go|work)ing for\b/.test(text) ||
    /^(?:a (?:solution|walk|run)|it|that|this|me|the (?:best|deadline))\b/i.test(deed)
      ? null
      : goal(deed, 'works towards'),
  )`
    We (?:am|are) ~(?:working|building|striving|pushing|aiming|shooting|going|on my way) ~(?:towards?|for
    |to becoming) (?<deed>.+)
  `,
  rule(
    (what) => goal(`learn ${what}`, 'wants to'),
    /^(?:about|\w+thing|that|from|a (?:lot|ton)|loads|lots|with|as I go|by|alongside|the (?:hard way|ropes)|it|this|more|new things)\b/i,
  )`We (?:am|are|have been|have started) ~(?:learning (?:how )?|studying (?=${LANGUAGE}\b(?! (?:literature|studies|history|law)\b)))(?<what>.+)`,
  rule((deed, { text }) => wanted(deed, text))`
    (?:(?:one day|some ?day|eventually|(?:this|next) year|by next \w+|before I (?:turn|am) \w+|in the long run
    |when I grow up),? )?(?:I|we) (?:(?:really|still|also|just|one day|someday|eventually|always|do|am|are|have|would
    |will|badly|desperately|secretly|finally|now|actually|only) ){0,4}(?:want(?:ed)?|hop(?:e|ing)|plan(?:ning)?|intend
    (?:ing)?|aim(?:ing)?|love|like|dream(?:ing)? (?:of|about)|determined|trying|going|resolved|decided|aspir(?:e|ing)
    |set out|set myself the goal|(?:set|have) a (?:goal|dream)|committed|promised myself|working up) (?:(?:one day
    |some ?day|eventually|finally|also|really|to|of|for|hard) ){0,4}(?<deed>.+)
  `,
];

const TODAY = pattern('i')`
  \b(?:today|tonight|tomorrow|this (?:evening|afternoon|morning|weekend)|right now|on ${WEEKDAY}|next week
  |in a minute)\b
`;

/** The words before a verb that express a wish: "I want to …", but not "I love to …" or "I wanted to …". */
const WISH = /\b(?:to|of|goal)\s*(?:(?:one day|some ?day|eventually|finally|also|really)\s*){0,4}$/;
const NO_WISH =
  /\b(?:I|we) (?:really |also |just |do |always ){0,4}(?:love|like|(?<!always )wanted)\b/;

function wanted(deed: string, text: string): Draft | null {
  const lead = text.slice(0, text.length - deed.length);
  const isNone = !WISH.test(lead) || NO_WISH.test(lead) || TODAY.test(text);
  if (isNone || NOT_AN_AIM.test(deed) || /^(?:learn|improve|practi[sc]e|help|know)\W*$/.test(deed))
    return null;
  const isLater = SOME_DAY.test(text);
  const isDream = DREAM.test(text) && !/^(?:be|have|go|do)\b/.test(deed);
  const isWeak =
    /^(?!.*\bwould love\b)(?:\w+ ){0,4}?(?:love|like|going|trying|decided|committed) /.test(text);
  const isPlanned =
    isLater && /^(?:buy|get|own|build|move|rent|open|visit|learn) (?:an?|the|my|our) /.test(deed);
  const isAim = STARTS_WITH_AIM.test(deed) || (/^\p{L}+ing\b/u.test(deed) && /\bdream/.test(text));
  const isMeant = isWeak ? isAim && (isLater || /\btrying\b/.test(text)) : isAim || isPlanned;
  return isDream || isMeant ? goal(deed, 'wants to', isLater ? 0.9 : 0.8) : null;
}
