import { expect, it } from 'vitest';
import { datesMovedBy } from '../../../../../src/reasoner/extractive/facts/notes/moved-date.ts';

it.each([
  ['the wedding is Saturday 12 June', 'so the wedding is on 5 June, in Braga', true],
  ['The wedding moved to June 12th.', 'The wedding is on June 5.', true],
  ['we have the garage until 30 september', 'rented a garage from may 2, until 31 august', true],
  ['the garage is ours until 30 september', 'rented a garage from may 2, until 31 august', true],
  ['the garage opens on 3 September', 'rented a garage from may 2, until 31 august', false],
  ['the wedding is on 5 June!', 'the wedding is on 5 June', false],
  ['my resit is on 12 June', 'the wedding is on 5 June', false],
  ['the marathon is on 22 August now', 'the marathon is on 15 August', true],
  ['the market is on 22 Aug', 'the market is on 15 August', true],
  ['the review is on 9 September', 'the review is on 9 sept', false],
  ['the review is on decision 7', 'the review is on decision 5', false],
  ['the wedding is in June', 'the wedding is on 5 June', false],
  ['her aunt lands on 12 June', 'the wedding is on 5 June', false],
])('"%s" moves the date of "%s": %s', (text, former, isMoved) => {
  expect(datesMovedBy(text)(former)).toBe(isMoved);
});
