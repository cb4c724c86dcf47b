import { termsOf } from '../text/terms.ts';

/** Terms of feelings and of the conversation itself, which say little. */
const WEAK = new Set([
  ...termsOf(
    `great good nice cool awesome amazing wonderful fantastic lovely beautiful sweet incredible exciting excited interesting
    impressive neat fun glad happy proud sorry sure right true really totally definitely absolutely well way thing things lot bit
    kind sort something anything everything nothing someone anyone everyone people time times day today guess think know say said
    tell told mean like love hear see look looking sound sounds feel feeling make makes let get got going go come take thanks thank
    please welcome help hope want need try yes maybe always never much many little big new first last next one two also still even
    back ever yet already soon later inspiring inspiration best better pretty super hard keep life world journey special truly
    support share sharing bring deal idea important perfect stuff reminder glimpse part agree wait bet cheers enjoy chat talk
    moment joy peace woohoo yay hooray woah whoa wow aww yippee hurray
    `,
  ).keys(),
]);

/** How much a term says by itself, independent of its rarity in the talk: names and numbers most. */
export function termWeight(term: string): number {
  if (WEAK.has(term)) return 0.25;
  return /\d/.test(term) ? 1.2 : 1;
}
