import { pattern } from '../../../../language/text/pattern.ts';
import { asCorrections, type Draft, ended, NEGATIVE, rule, stated } from '../text/draft.ts';
import { BUSINESS, FIELD, isOccupation } from '../text/jobs.ts';
import { employerAfter } from '../text/organisations.ts';
import { clauseOf, upTo, withoutTail } from '../text/phrases.ts';
import { profile } from '../text/profile.ts';

const JOB_END = pattern('i')`
  \s(?:who|by|for|at|in|with|on|from|to|since|of(?! (?:staff|engineering|product|operations|sales|marketing|studies
  |photography|finance|design|people|research|music|art|education|nursing|police|surgery|schools?|security|state|works
  |the)))\b
`;

/** The occupation at the beginning of a text ("court interpreter" of "a court interpreter in Graz"). */
export function occupationOf(text: string, isSure = true): string | null {
  const front = text
    .trim()
    .replace(
      /^(?:an?|the|your|one of the|just an?|only an?|still an?|now an?|self-employed|freelance(?= (?:and|but)))\s+/i,
      '',
    );
  const clause = upTo(clauseOf(front), JOB_END);
  const noun = withoutTail(clause.replace(/^\d+[- ]years?[- ]old /i, ''));
  return isOccupation(noun, isSure) ? noun : null;
}

/** Drafts the user's occupation. `says`: another statement than "The user works as …". */
const occupied = (value: string | null, says?: string, confidence = 0.9): Draft[] =>
  profile('occupation', value, { confidence, ...(says && { statement: `The user ${says}.` }) });

/** "teaching chemistry", but not "killing me". */
const GERUND =
  /^(?!killing|driving me|making me|getting|taking|being|going|wearing|stressing|boring)\p{L}+ing \p{L}/u;

/** The user's occupation. Several rules may read the same clause. */
export const OCCUPATIONS = [
  rule((job, { text }) => {
    const [article = ''] = /(?:an? )?$/.exec(text.slice(0, text.length - job.length)) ?? [];
    const value = occupationOf(job, article !== '');
    const isOver = /\bno longer|anymore|any longer\b/.test(text);
    if (value === null || (!isOver && / but /.test(text))) return null;
    const key = isOver ? 'profile:occupation' : null;
    const says = `is ${isOver ? 'no longer' : 'not'} ${article}${value}`;
    return stated('IDENTITY', value, says, { key, isCorrection: isOver, ...NEGATIVE });
  })`I (?:am no longer|am not) (?:working as )?(?:an? )?(?<job>.+)`,
  rule((job) => ended(occupied(occupationOf(job)), 'works', 'no longer works'))`
    I (?:quit|left|gave up|lost) my job as (?:an? )?(?<job>.+)
  `,
  rule((job, { text }) => {
    const isJob = /^(?!I (?:\w+ )?(?:worked|served)\b).{0,60}?\b(?:as|promoted to)\b/.test(text);
    if (!isJob) return null;
    const [, role = job] = /\bas (.+)/.exec(job) ?? [];
    const value = occupationOf(role) ?? looseRole(role);
    return [...occupied(value), ...employerAfter(role)];
  })`
    I (?:have )?~(?:work(?:ed)?|(?:(?:am|been|am back to|switched to) )?working|(?:make|earn) (?:a|my) living
    |am employed|started(?: work(?:ing)?)?|(?:(?:was|got|been) )?(?:promoted to|hired|retrained)|(?:found|got|have
    |took) a (?:new )?job|am qualified|freelance|moonlight|serve) (?:now )?(?:(?:part|full)[- ]time )?(?:as |to )?
    (?<job>.+)
  `,
  rule((rest, { text, isContinued }) => {
    const hasArticle = /^I (?:\w+ ){1,4}?(?:an?|the|just an?) /.test(text);
    const job = occupationOf(rest, hasArticle);
    if (job === null || (/ student$/.test(job) && / at \p{Lu}/u.test(rest))) return null;
    const isBare = !hasArticle && !isContinued && !job.includes(' ') && !/\bnow\b/.test(text);
    return isBare ? null : [...occupied(job), ...employerAfter(rest)];
  })`
    I (?:have )?~(?:am|been|became|become|was made) ~(?:(?:an?|the|your|one of the) )?(?:\d\d-?(?: |-)years?[- ]old )?
    (?<rest>.+)
  `,
  rule((state, { text }) =>
    occupied(/^I am \S+,? (?:and |as )?an? /.test(text) ? null : state, `is ${state}`),
  )`
    I am ~(?<state>(?:semi-)?retired|unemployed|self[- ]employed|freelancing|between jobs|out of work|jobless
    |on (?:parental|maternity) leave)\b
  `,
  rule(
    (job) => asCorrections(occupied(occupationOf(job.replace(/^(?:as )?an? /, ''), false))),
    /^(?:so|but|and|which|that|it)\b/,
  )`
    I (?:(?:have |have got |got |will |am )?~(?:start|starting|begin)? ?)(?:an?|my) (?:\p{L}+ )?new job(?: (?:starting|from|on|next
    |this|in|as of)(?: \p{L}+){1,3})?(?:[,:]| as) (?<job>[^.!?]+)
  `,
  rule((state) => occupied(state, 'is retired'))`
    I (?:have )?~(?<state>retired)(?=[,.;!?)]|$| (?:in \d{4}|last|at \d\d|(?:\d+|a few|two|three) \p{L}+ ago|and|so|but)\b)
  `,
  rule((job, { text }) => {
    const isRole = /title|occupation|profession/.test(text.slice(0, 35)) || GERUND.test(job);
    return occupied(occupationOf(job) ?? (isRole ? looseRole(job) : null));
  })`
    my (?:current |day |new |main |actual )?(?:job(?: title| role)?|occupation|profession|trade|line of work|role
    |title|position) (?:is|'s|(?:has )?changed to)(?: now| being| working as| that of){0,4} ?(?:an? )?(?<job>.+)
  `,
  rule((job) => occupied(occupationOf(job)))`
    (?:by (?:trade|profession|training|day)|for a living|in (?:my day job|real life))[,]? I am (?:an? )?(?<job>.+)
  `,
  rule(
    (job) => occupied(withoutTail(job.replace(/^do /, ''))),
    /^(?:do not|would|wish|want|could|work$|have to|need to)/,
  )`I (?:do )?(?<job>.{3,40}?) for a living`,
  rule((job) => occupied(occupationOf(job), undefined, 0.8))`
    as (?:an? )(?<job>[^,.;!?]{3,40}?)(?:,| I| myself)
  `,
  rule((field) => occupied(field, `works in ${field}`))`
    I (?:have )?~(?:work(?:ed|ing)?|am ~working|am|been(?: working)?|a job) ~in (?:the )?(?<field>${FIELD})\b
  `,
  rule((shop) => occupied(shop, `runs a ${shop}`, 0.8))`
    We ~(?:run|own|manage|have my own|opened|started|founded|am running) (?:and \w+ )?(?:an?|my own|our own
    |the) (?<shop>(?:[\p{L}-]+ ){0,3}?${BUSINESS})\b
  `,
  rule(
    (subject) => occupied(`teaches ${subject}`, `teaches ${subject}`, 0.8),
    /^(?:all|every|on|there|here|nights?|full|part|him|her|them|you|people|my|it|that|this|myself)\b/i,
  )`I ~(?:teach|lecture in) (?<subject>[^,.;!?]{3,40}?)(?= (?:at|to|in|for)\b|[,.;!?]|$)`,
];

const NO_JOB = pattern('i')`
  ^(?:at|in|from|for|on|with|truly|really|very|well|usual|normal|expected|before|team|hard|is|I|part|my|our|his|her|he
  |she|they|we|where|if|what|when|who|this|that|intended|it|you|one|fast|much|long|possible)\b
`;

/** The role after "work as a", which may be any noun. */
function looseRole(text: string): string | null {
  const clause = clauseOf(text.replace(/^(?:an?|the) /i, ''));
  const role = withoutTail(upTo(clause, /\s(?:at|for|in|with|on|from|since)\b/i));
  return role === '' || role.split(' ').length > 5 || NO_JOB.test(role) ? null : role;
}
