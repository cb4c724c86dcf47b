import type { Token } from './tokens.ts';

const FINITE = /^(?:(?:is|are|was|were|has|have|had)(?:n't)?|made|helped)$/;
const FEELING = /^(?:wish|hope|love|miss|hate|think|need|want|bet|appreciate)$/;

/**
 * The words that chat leaves out at the start of a sentence, such as "I am " of "Working on the
 * fence."; empty if its subject is there.
 */
export function missingSubject([head, next, ...rest]: readonly Token[], said: string): string {
  if (head === undefined || next === undefined || /[,:]/.test(head.post)) return '';
  if (/^(?:seems|looks|sounds|feels|turns)$/.test(head.lower)) return 'It ';
  if (
    /^been (?:a|an|so|too|ages|\w+) ?(?:while|few|couple|long|years?|months?|weeks?|days?)\b/i.test(
      said,
    )
  )
    return 'It has ';
  if (head.lower === 'been') return 'I have ';
  if (isDoing([head, next, ...rest], said)) return 'I am ';
  if (FEELING.test(head.lower) && !/^(?:is|was|are|of)$/.test(next.lower)) return 'I ';
  if (/^(?:can't|cannot|couldn't|won't|didn't|just|finally)$/.test(head.lower)) {
    return next.tags.has('Verb') && !/ing$/.test(next.lower) && !next.tags.has('Imperative')
      ? 'I '
      : '';
  }
  const past = head.tags.has('PastTense') && !head.tags.has('Adjective');
  return past && !next.tags.has('Verb') && next.lower !== 'by' ? 'I ' : '';
}

/** "Painting is fun" has a subject: the painting. */
function isDoing([head, ...rest]: readonly Token[], said: string): boolean {
  if (head === undefined || !/ing$/.test(head.lower) || !head.tags.has('Gerund')) return false;
  if (/^\w+ing\b[^,]{0,60}, (?:I|we|it|he|she|they|you|the|my)\b/i.test(said)) return false;
  return !rest.some(({ lower, tags }, place) => {
    const owner = rest[place - 1]?.lower ?? '';
    const finite =
      FINITE.test(lower) ||
      tags.has('Modal') ||
      tags.has('PastTense') ||
      (tags.has('PresentTense') && /s$/.test(lower));
    return (
      finite &&
      !/^(?:it|that|which|who|they|i|we|he|she|you|there|and|to|has|have|had|been|is|was|were)$/.test(
        owner,
      )
    );
  });
}
