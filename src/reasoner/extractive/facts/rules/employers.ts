import { pattern } from '../../../../language/text/pattern.ts';
import { asCorrections, type Draft, type Rule, rule } from '../text/draft.ts';
import { employed, organisationOf } from '../text/organisations.ts';
import { profile } from '../text/profile.ts';

const works = (org: string): Draft[] => employed(organisationOf(org));

const STUDYING = pattern()`
  \b(?:study|studying|student|enrolled|attend|doing|do my|in my|freshman|sophomore|junior|senior|undergrad|postgrad
  |phd|fresher)\b
`;

/** Where the user works or studies. */
export const EMPLOYERS: readonly Rule[] = [
  rule((org, { text }) =>
    /\bno longer|anymore|any longer|stopped|quit\b/.test(text)
      ? asCorrections(employed(organisationOf(org), 'NEGATIVE'))
      : null,
  )`
    We (?:no longer|do not|have not|am no longer|am not|stopped|quit|have stopped|have quit)(?: \w+)? ?(?:work
    |working|worked|employed|with) (?:here |there )?(?:at|for|with|by)? ?(?<org>.+)
  `,
  rule((org) => asCorrections(employed(organisationOf(org), 'NEGATIVE')))`
    I am no longer (?:at|with) (?<org>\p{Lu}.*)
  `,
  rule((org, { text }, { known }) => {
    const value = organisationOf(org);
    const isKnown = known.some(
      (fact) =>
        fact.key === 'profile:employer' &&
        value !== null &&
        fact.value.toLowerCase() === value.toLowerCase(),
    );
    const isJob =
      /\bmy (?:job|position|role)\b|resigned|fired|laid off|let go|notice|redundant/.test(
        text.slice(0, 50),
      );
    return isJob || isKnown ? asCorrections(employed(value, 'NEGATIVE')) : null;
  })`
    I (?:have )?~(?:quit|left|resigned from|(?:got|was) (?:fired|laid off|let go) from|handed in my notice at
    |finished at|retired from|was made redundant (?:at|by|from)|parted ways with)(?: my (?:job|position|role) (?:at
    |with|in))? ?(?<org>\p{Lu}.*|.+)
  `,
  rule(works)`
    I ~(?:work|am working|have worked|have been working|started working|started work|began working|freelance
    |am employed|have been employed|am a contractor|am contracting|intern|am interning|volunteer full-time)
    (?: (?:mostly|mainly|full[- ]time|part[- ]time|now|nights|days|over|remotely|here|there
    |shifts)){0,3}?(?: (?:as .{3,40}?|in [\p{L} ]{2,25}?))?(?: (?:mostly|mainly|full[- ]time|part[- ]time|now|nights
    |days|over|remotely|here|there|shifts)){0,3}? (?:at|for|by) (?<org>.+)
  `,
  rule((org, { text, sentence }) => {
    const value = organisationOf(org);
    const isVague = /^I (?:\w+ )?(?:am|have been) (?:at|with)\b/.test(text);
    const isChange =
      /\b(?:chang\w+|switch\w+|new|left|quit) (?:my )?(?:jobs?|employers?|work|compan\w+)\b/i.test(
        sentence,
      ) && /\bnow\b/.test(text);
    return value === null || (isVague && !isChange) || isSchool(value) ? null : employed(value);
  })`
    I (?:have )?~(?:joined|started at|got hired (?:at|by)|was hired (?:at|by)|have a (?:new )?job (?:at|with)
    |got (?:a|the) (?:new )?job (?:at|with)|got a position (?:at|with)|landed a (?:new )?(?:job|role) (?:at|with)
    |switched jobs to|moved jobs to|signed with|accepted an? (?:job|offer|role|position) (?:at|from|with)
    |have been at|am at|am with|changed jobs to|took a job (?:at|with)
    |have switched to working for) (?<org>\p{Lu}.*)
  `,
  rule(works)`
    I ~(?:lead|manage|run|head|head up|direct|supervise|oversee|coordinate|look after|am (?:the )?head of
    |am in charge of|am responsible for) (?:the |an? |our )?(?:[\p{L}&'’-]+ ){0,4}?(?:teams?|department|division
    |desk|unit|group|office|kitchen|ward|lab|workshop|warehouse|branch|shop|studio|project|product|programme|program
    |operations|procurement|marketing|sales|finance|logistics|research|engineering|design) (?:at|of
    |for) (?<org>\p{Lu}.*)
  `,
  rule(works)`
    (?:my (?:current |new )?(?:employer|company|workplace) (?:is|'s|is called|is now)|the (?:company|firm
    |place) I work (?:for|at) is(?: called)?)(?: now)? (?<org>.+)
  `,
  rule((org, { text }) => {
    const value = organisationOf(org);
    const studies = STUDYING.test(text.slice(0, 60));
    if (value === null || !(isSchool(value) || (studies && /^\p{Lu}/u.test(value)))) return null;
    return profile('school', value);
  })`
    (?:I|I have) ~(?:go to|study at|am studying(?: [\p{L} ]{2,40}?)? at|study [\p{L} ]{2,40}? at|attend
    |am enrolled (?:at|in)|am (?:an? )?(?:[\p{L}'-]+ ){0,4}student at|started at|am doing (?:my
    |an?) [\p{L}' ]{2,30}? at|am in my [\p{L} ]{3,20}? at|do my [\p{L}' ]{2,25} at|am a (?:freshman|sophomore|junior
    |senior|fresher|first-year|undergrad|postgrad|phd candidate) at|have transferred to|transferred to|switched to
    |got into|been studying(?: [\p{L} ]{2,40}?)? at) (?<org>.+)
  `,
  rule((org) => profile('school', organisationOf(org)))`
    my (?:school|university|uni|college|alma mater) (?:is|'s|is called)(?: now)? (?<org>\p{Lu}.+)
  `,
];

const PLACE_OF_STUDY = pattern('i')`
  \b(?:universit\w+|uni|school|college|academy|institute|polytechnic|conservatoire|conservatory|lyc[eé]e|gymnasium
  |hochschule|MIT|ETH|EPFL|UCL|LSE|KTH|NTNU|TU|UCLA|NYU|Oxford|Cambridge|Harvard|Stanford|Yale|Sorbonne|Princeton)\b
`;

const isSchool = (name: string): boolean => PLACE_OF_STUDY.test(name);
