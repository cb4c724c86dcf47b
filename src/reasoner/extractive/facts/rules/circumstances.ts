import { factKey } from '../../../../domain/facts/fact-key.ts';
import { WEEKDAY } from '../../../../language/en/time/named-date.ts';
import { source } from '../../../../language/text/pattern.ts';
import type { Clause } from '../text/clauses.ts';
import { type Draft, END, ended, NEGATIVE, rule, stated, unless } from '../text/draft.ts';
import { AID, CONDITION, STATE, TRANSIENT } from '../text/health.ts';
import { clauseOf } from '../text/phrases.ts';
import { SUFFER } from './limits.ts';

const TIMES = source`
  (?:${WEEKDAY}s?|weekends?|week(?:day|night)s?|mornings?|evenings?|afternoons?|nights?|(?:school|bank) holidays
  |lunchtimes?)
`;
const CLOCK = source`
  (?:\d{1,2}(?:[:.]\d\d)?|noon|midday|lunch|three|four|five|six|seven|eight|nine|ten)(?: ?(?:[ap]\.?m\.?|o'clock))?
`;
const WHEN = source`
  (?<when>(?:(?:the|on|every|any|early|late|in the|at|all|most|during the|school|working) ){0,4}
  (?:${WEEKDAY} )?${TIMES}(?:,? (?:and|or|nor) (?:on )?(?:${WEEKDAY} )?${TIMES}){0,6}|(?:after|before|between|from
  |until|past|till) ${CLOCK}(?: (?:and|to) ${CLOCK})?(?: (?:on )?(?:weekdays|weekends|\p{L}+days))?)
`;

/** Words of a rule, rather than of one appointment. */
const STANDING_TIME =
  /(?:day|end|morning|evening|afternoon|night|time)s\b|\b(?:every|any|ever|always|never|all|generally|usually|only)\b/i;
const ONE_TIME =
  /\b(?:this|next|coming|tomorrow|last) (?:\p{L}+day|week|morning|weekend|evening|afternoon)\b/iu;

/** Drafts an availability. A single day is an appointment; plural days, "every" and "ever" make a rule. */
function available(when: string, text: string, says: string, more?: Partial<Draft>): Draft[] {
  if (!STANDING_TIME.test(`${when} ${text}`) || ONE_TIME.test(text)) return [];
  const values = when
    .replace(/^(?:on|in|at|during|the|every|any|all|most) /gi, '')
    .split(/,? (?:and|or|nor) (?:on )?/);
  return values.map((value) => {
    const day = value.replace(/^(?:the|on|every|any|all|in the) /i, '');
    const key = factKey('constraint:availability', day);
    const fact = `is ${says} on ${value.trim()}`;
    return stated('CONSTRAINT', value.trim(), fact, { key, importance: 0.7, ...more });
  });
}
const AROUND = source`
  available|free|around|reachable|in|contactable|online|at my desk|working|off work|open|in the office|time
`;
const MEET = source`
  do|make|work|manage|come(?: in)?|attend|answer|talk|join|meet(?: up)?|get away|be reached|have (?:time|meetings
  |calls)|(?:take|do|schedule|book) (?:calls|meetings|anything)
`;
const yes = (when: string, { text }: Clause) =>
  available(when, text, /\bonly\b/.test(text) ? 'only available' : 'available');
const no = (when: string, { text }: Clause) => available(when, text, 'not available', NEGATIVE);

export const AVAILABILITY = [
  rule(no)`
    We (?:(?:am|are|was) (?:not|never|no longer|hardly ever|rarely) ~(?:ever )?(?:${AROUND})(?: at all)?|(?:am|are) ~
    (?:unavailable|busy|out|away|off|tied up|booked|in (?:class|lectures)|unreachable|offline)(?: at \w+| all day)?
    |(?:can not|can never|do not|never|no longer|will not|could never|have never been able to) ~(?:ever )?(?:${MEET})
    (?: (?:on )?(?:meetings|calls))?) ?(?:(?:on|in|at|for|during) )?${WHEN}
  `,
  rule((when, clause) =>
    /\b(?:work|suit|good|possible|option|convenient|fit)/.test(clause.text)
      ? no(when, clause)
      : null,
  )`
    ${WHEN} (?:(?:just|really|simply|never|generally|do|does|are|is) ){0,4}(?:not|never) (?:really |ever )?(?:work
    (?: out)?|works|good|suits?|possible|an option|do|convenient|fit)?(?: for me| me)?\b
  `,
  rule(no)`
    ${WHEN} (?:are|is) ~(?:out|off[- ]limits|impossible|no good|a no[- ]go|bad|blocked|taken|terrible|hopeless|sacred
    |reserved|family time|full)\b
  `,
  rule((when, clause) =>
    /meeting|call|appoint|nothing|book|class/.test(clause.text) ? no(when, clause) : null,
  )`
    (?:please )?(?:no|never any|nothing) ?(?:meetings?|calls?|appointments?|bookings|classes|anything)? ?
    (?:on |in )?${WHEN}(?: for me| please|,| ever|$|\.)
  `,
  rule(yes)`
    We (?:am|are|have) ~(?:back to being )?(?:${AROUND})(?: again| only)? (?:(?:on|in|at|during|for you) )?
    (?:only )?${WHEN}
  `,
  rule((when, clause) =>
    /\b(?:only|again|always|just)\b/.test(clause.text) &&
    !/^(?:I|we) (?:work|do|make) /.test(clause.text)
      ? yes(when, clause)
      : null,
  )`We ~(?:can |could |prefer to )?~(?:${MEET}|am in)(?: only| just)? (?:(?:on|in|at) )?${WHEN}`,
  rule(yes)`
    ${WHEN} (?:(?:is|are) (?:the (?:only|best) (?:days?|times?)|(?:fine|ok|free|possible) again|best)|(?:work
    |suit)s? (?:(?:forme )?(?:again|best)|me best)|only (?:work|suit))
  `,
];

const limited = (value: string, says: string, more?: Partial<Draft>): Draft =>
  stated('CONSTRAINT', value, says, { importance: 0.85, ...more });

const LACKING = source`
  (?:(?:driv(?:ing|er'?s) )?licen[cs]e|car|bike|bicycle|passport|smartphone|phone|printer|oven|freezer|microwave
  |dishwasher|washing machine|garden|balcony|credit card|bank account|tv|television|computer|laptop|landline|visa
  |degree|internet at home|blender|food processor|air fryer|(?:kitchen )?scales?|drill|sewing machine|air conditioning
  |lift|elevator|garage|bath|bathtub|social media|(?:health )?insurance|work permit|scanner|webcam|(?:stand )?mixer
  |grill|barbecue|cellar|parking space|hob)
`;

const EXPECTS = /^(?:pregnant|expecting)$/;

export const CIRCUMSTANCES = unless(TRANSIENT, [
  rule((aid, { text }) =>
    limited(aid, `uses ${clauseOf(text.replace(/^(?:I|we) (?:am )?(?:\w+ )/, '')) || aid}`),
  )`
    We (?:am (?:in|using|on)|use|need|depend on|rely on|(?:get|move) around (?:in|with|on)|have(?: to use)?|walk with
    |wear|live with) (?:(?:an?|my|the) )?(?:(?:electric|power|manual|walking) )?(?<aid>${AID})\b
  `,
  rule((aid) => limited(aid, `is a ${aid} user`))`
    I am ~an? (?<aid>wheelchair|screen[- ]reader|crutch|hearing aid|guide dog) (?:user|owner)
  `,
  rule((state, { text }) =>
    limited(/type (?:1|2|one|two) /.exec(text)?.[0].concat(state) ?? state, `is ${state}`),
  )`
    We (?:am|was|have been|was born) ~(?:(?:partially|severely|slightly|legally|almost|profoundly|nearly|mildly|an?
    |type (?:1|2|one|two)|technically|\d{1,2} (?:weeks|months)) ){0,4}(?<state>${STATE}(?: in (?:one|my (?:left|right)|both) (?:ears?|eyes?))?)
    (?=[\s,.;!?)]|$)(?! (?:to|by|with (?:envy|rage)|spot|date|myself to|drunk))
  `,
  rule((state) => ended([limited(state, `is ${state}`)], ' is ', ' is no longer '))`
    We (?:am|are) (?:no longer|not(?=[^,.;!?]* any(?:more| longer)\b)) ~(?<state>${STATE})(?=[\s,.;!?)]|$)
  `,
  rule((_what, _match, { known }) =>
    known
      .filter(({ value, polarity }) => EXPECTS.test(value) && polarity === 'POSITIVE')
      .flatMap(({ category, value }) =>
        ended([stated(category, value, `is ${value}`)], ' is ', ' is no longer '),
      ),
  )`
    We ~(?:(?:have )?(?<what>had|suffered) (?:an? (?:\w+ )?(?:miscarriage|stillbirth|abortion)|(?:my|our|the|an?) (?:\w+ )?
    (?:baby|twins|daughter|son|girl|boy)(?! [a-z]+er\b))|gave birth|have given birth)\b(?!.* (?:ago|before|once)\b)
  `,
  rule((what, { text }) => limited(what, `has ${clauseOf(text.slice(text.indexOf(what)))}`))`
    We ~(?:${SUFFER}|get)(?: an?| really| quite| pretty| very| severe| mild| bad| chronic| some| terrible| my| late
    | adult){0,4} (?<what>${CONDITION}|${AID})(?=[\s,.;!?)]|$)
  `,
  rule((what) => limited(what, `is afraid of ${what}`))`
    I am ~(?:afraid|scared|terrified|frightened) of (?<what>heights|flying|spiders|needles|dogs|the dark
    |(?:deep |open )?water|snakes|crowds|elevators|lifts|enclosed spaces|thunder|public speaking|clowns|cats|horses
    |mice|escalators|tunnels|boats|bridges|driving|birds|(?:the )?dentists?|wasps|bees|ghosts|planes)
  `,
  rule((what) => limited(what, `has no ${what}`, NEGATIVE))`
    We (?:(?:do not|no longer|have not|never|never had|do not yet|have never) ~(?:ever )?(?:have|own|got|possess|had
    |owned|hold) (?:an? |any |the |my )?|have (?:no|neither an?|zero) )(?:(?:own|valid|full|big|proper|working
    |home) ){0,4}(?<what>${LACKING})(?=[\s,.;!?)]|$)(?! (?:on me|with me|at hand|to hand|here|today|yet with))
  `,
  rule((deed) => limited(deed, `cannot or does not ${deed}`, NEGATIVE))`
    We (?:do not|never|no longer|may not|must not|(?:physically )?can (?:not|no longer)|am (?:not able|not allowed
    |unable) to) ~(?:ever )?(?<deed>drive|fly|(?:climb|take|use) (?:the )?stairs|walk (?:(?:very )?far|long distances)
    |lift (?:anything )?(?:heavy|weights?)[\p{L} ]*|(?:stand|sit) (?:for )?(?:long|hours)|run|swim|kneel
    |travel (?:by plane|alone)|work (?:(?:on )?weekends|(?:at )?nights?|late|full[- ]time|from home|overtime)
    |do (?:night shifts|heights|stairs|phone calls|late nights)|see (?:colou?rs?|red)|smell|hear (?:well
    |high)[\p{L} ]*|take (?:ibuprofen|aspirin)|answer (?:the phone|calls))(?: any longer)?(?! that)${END}
  `,
  rule((what) => limited(what, `is on ${what}`))`
    We (?:am|are) ~on (?:an? )?(?<what>(?:(?:very|really|pretty|super|quite) )?(?:tight|small|limited|student
    |shoestring|strict|low|minimal) budget|blood thinners|insulin|beta blockers|antidepressants|warfarin)\b
  `,
]);
