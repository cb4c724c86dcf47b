import { keyPart } from '../../../../domain/facts/fact-key.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { type Draft, ended, rule } from '../text/draft.ts';
import { employed, organisationOf } from '../text/organisations.ts';
import { profile } from '../text/profile.ts';
import type { Scene } from '../text/scene.ts';

const left = (org: string): Draft[] => ended(employed(org), 'works', 'no longer works');

const HOW = source`
  (?: (?:mostly|mainly|full[- ]time|part[- ]time|now|nights|days|over|remotely|here|there|shifts))
`;
const STUDYING = pattern()`
  \b(?:study|studying|student|enrolled|attend|doing|do my|in my|freshman|sophomore|junior|senior|undergrad|postgrad
  |phd|fresher)\b
`;

const NEW_JOB =
  /\b(?:chang\w+|switch\w+|new|left|quit) (?:my )?(?:jobs?|employers?|work|compan\w+)\b/i;

const IS_JOB = /\bmy (?:job|position|role)\b|resigned|fired|laid off|let go|notice|redundant/;
const employersIn = (known: Scene['known']): string[] =>
  known.flatMap(({ key, value, polarity }) =>
    key === 'profile:employer' && polarity === 'POSITIVE' ? value : [],
  );

export const EMPLOYERS = [
  rule((org, { text }) =>
    /\b(?:no longer|anymore|any longer|stopped|quit)\b/.test(text) ? left(org) : null,
  )`
    We (?:no longer|do not|have not|am no longer|am not|(?:have )?(?:stopped|quit))(?: \w+)? ?(?:work|working|worked
    |employed) (?:here |there )?(?:at|for|with|by)? ?(?<org>.+)
  `,
  rule((org, { text }, { known, beings }) => {
    const name = organisationOf(org);
    const isKnown = name !== null && employersIn(known).includes(name);
    const isSomebody = beings.has(keyPart(name ?? ''));
    return isKnown || (/no longer/.test(text) && !isSomebody) ? left(org) : null;
  })`I am (?:no longer|not) (?:at|with) (?<org>\p{Lu}.*)`,
  rule((org, { text }, { known }) => {
    const employers = employersIn(known);
    if (employers.length === 0) return IS_JOB.test(text.slice(0, 50)) ? left(org) : null;
    const name = organisationOf(org)?.toLowerCase();
    return employers.some((value) => value.toLowerCase() === name) ? left(org) : null;
  })`
    I (?:have )?~(?:quit|left|resigned from|(?:got|was) (?:fired|laid off|let go) from|handed in my notice at
    |finished at|retired from|was made redundant (?:at|by|from)|parted ways with)(?: my (?:job|position|role) (?:at
    |with|in))? ?(?<org>.+)
  `,
  rule((_deed, _match, { known }) => employersIn(known).flatMap(left))`
    I (?:have )?~(?<deed>(?:quit|left|lost|resigned from) my job|(?:have )?resigned|(?:got|was) (?:fired|laid off
    |made redundant)|handed in my notice)(?=[,.;!?)]|$| (?:and|so|but|because|yesterday|today|last|this|on|in \p{L}+)\b)
  `,
  rule(employed)`
    I ~(?:work|am working|have (?:worked|been working)|(?:started|began) work(?:ing)?|freelance|(?:am
    |have been) employed|am a contractor|am contracting|intern|am interning)${HOW}{0,3}(?: (?:as .{3,40}?
    |in [\p{L} ]{2,25}?))?${HOW}{0,3}[ ](?:at|for|by) (?<org>.+)
  `,
  rule((org, _match, { known }) => {
    // Whoever works for Siemens also works for "a big company".
    if (employersIn(known).length > 0) return null;
    const says = { statement: `The user works for ${org}.`, confidence: 0.7, importance: 0.6 };
    return profile('employer', org, says);
  })`
    I ~(?:work|am working|have worked)${HOW}{0,3} (?:at|for|in) (?<org>an? (?:[\p{L}-]+ ){0,3}?(?:bank|(?:insurance |software |tech
    )?company|law firm|start-?up|hospital|school|university|charity|ngo|consultancy|agency|supermarket|council|call cent(?:er|re)
    |care home|museum|library|hotel|restaurant|factory))(?=[,.;!?)]|$| (?:and|so|but|in|near|as|for|now|which|that)\b)
  `,
  rule((org, { text, sentence }) => {
    const value = organisationOf(org);
    const isVague = /^I (?:\w+ )?(?:am|have been) (?:at|with)\b/.test(text);
    const isChange = NEW_JOB.test(sentence) && /\bnow\b/.test(text);
    const isSchool = value !== null && PLACE_OF_STUDY.test(value);
    return isSchool || (isVague && !isChange) ? null : employed(org);
  })`
    I (?:have )?~(?:joined|started at|(?:got|was) hired (?:at|by)|(?:have|got|landed|accepted|took|start|am starting|begin) (?:an?
    |the|my) (?:new )?(?:job|role|position|offer) (?:at|from|with)|(?:switched|moved|changed) jobs to|signed with
    |have been at|am at|am with|have switched to working for) (?<org>\p{Lu}.*)
  `,
  rule(employed)`
    I ~(?:lead|manage|run|head(?: up)?|direct|supervise|oversee|coordinate|look after|am (?:(?:the )?head
    |in charge) of|am responsible for) (?:the |an? |our )?(?:[\p{L}&'’-]+ ){0,4}?(?:teams?|department|division|desk
    |unit|group|office|kitchen|ward|lab|workshop|warehouse|branch|shop|studio|project|product|program(?:me)?
    |operations|procurement|marketing|sales|finance|logistics|research|engineering|design) (?:at|of
    |for) (?<org>\p{Lu}.*)
  `,
  rule(employed)`
    (?:my (?:current |new )?(?:employer|company|workplace) (?:is|'s|is called|is now)|the (?:company|firm
    |place) I work (?:for|at) is(?: called)?)(?: now)? (?<org>.+)
  `,
  rule((org, { text }) => {
    const value = organisationOf(org);
    const studies = STUDYING.test(text.slice(0, 60));
    const isSchool = value && (PLACE_OF_STUDY.test(value) || (studies && /^\p{Lu}/u.test(value)));
    return profile('school', isSchool ? value : null);
  })`
    I (?:have )?~(?:(?:go|(?:have )?transferred|switched) to|got into|attend|am enrolled (?:at|in)|(?:study
    |am studying|been studying)(?: [\p{L} ]{2,40}?)? at|am (?:an? )?(?:[\p{L}'-]+ ){0,4}(?:student|freshman|sophomore
    |junior|senior|fresher|first-year|undergrad|postgrad|phd candidate) at|started at|(?:am doing|do) (?:my
    |an?) [\p{L}' ]{2,30}? at|am in my [\p{L} ]{3,20}? at) (?<org>.+)
  `,
  rule((org) => profile('school', organisationOf(org)))`
    my (?:school|university|uni|college|alma mater) (?:is|'s|is called)(?: now)? (?<org>\p{Lu}.+)
  `,
];

const PLACE_OF_STUDY = pattern('i')`
  \b(?:universit\w+|uni|school|college|academy|institute|polytechnic|conservatoire|conservatory|lyc[eé]e|gymnasium
  |hochschule|MIT|ETH|EPFL|UCL|LSE|KTH|NTNU|TU|UCLA|NYU|Oxford|Cambridge|Harvard|Stanford|Yale|Sorbonne|Princeton)\b
`;
