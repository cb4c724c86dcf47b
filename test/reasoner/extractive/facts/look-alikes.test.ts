import { describe, expect, it } from 'vitest';
import type { StoredFact } from '../../../../src/domain/facts/fact.ts';
import { brief, extract, facts } from '../said.ts';

const ANNA = 'My name is Anna.';
const LEEDS = 'I live in Leeds.';

describe('"sorry, it\'s …" corrects what was said right before, if it is of the same kind', () => {
  it.each([
    [ANNA, "Sorry, it's late, I have to go."],
    [ANNA, "Oh, it's great."],
    [ANNA, "No, it's okay."],
    [ANNA, "Sorry, it's Monday morning already"],
    [LEEDS, "No, it's fine, thanks."],
    [LEEDS, "Sorry, it's been a long day."],
    ['i live in leeds', "sorry, it's late"],
    ['I work at Siemens.', "Oh it's close."],
    ["I'm 34.", "No, it's fine."],
    ["I'm a nurse.", "Oh, it's fine"],
    ['My email is anna@example.org', "Sorry, it's late"],
  ])('"%s" – "%s" is no correction', (said, later) => {
    expect(facts(said, later)).toEqual(facts(said));
  });

  it.each([
    [LEEDS, "sorry, it's Bristol", '+ profile:city = Bristol'],
    ['i live in leeds', "sorry, it's bristol", '+ profile:city = bristol'],
    [LEEDS, 'no, Bath', '+ profile:city = Bath'],
    ['My name is Pat Dillon.', "Sorry, it's Pat Dillan", '+ profile:name = Pat Dillan'],
    ['I work at Siemens.', "Sorry, it's Bosch now", '+ profile:employer = Bosch'],
    ['My number is 07700 900123.', "sorry it's 07700 900321", '+ profile:phone = 07700 900321'],
    [
      'My email is ana@example.org',
      "Sorry, it's anna@example.org",
      '+ profile:email = anna@example.org',
    ],
  ])('"%s" – "%s" is one', (said, later, fact) => {
    expect(facts(said, later)).toContain(fact);
  });

  it('what was said before the turn before is not corrected', () => {
    expect(facts(ANNA, 'Dinner was good.', "Sorry, it's Tom")).not.toContain(
      '+ profile:name = Tom',
    );
  });
});

describe('work', () => {
  it.each([
    'I am not together with Duc anymore',
    "I'm no longer together with Tom.",
    "I'm not friends with Lena anymore.",
    "I'm not familiar with Python anymore.",
    "I'm not with Vodafone anymore",
  ])('"%s" ends no job', (text) => {
    expect(facts(text).filter((fact) => fact.includes('profile:'))).toEqual([]);
  });

  it.each([
    ["I'm no longer with Acme.", '- profile:employer = Acme'],
    ["I'm not a baker anymore.", '- profile:occupation = baker'],
    ['I start my new job at Stripe on Monday.', '+ profile:employer = Stripe'],
    [
      'I have a new job starting Monday, receptionist at a vet.',
      '+ profile:occupation = receptionist',
    ],
    ['I work for a bank.', '+ profile:employer = a bank'],
    ['I work for a big insurance company in Leeds', '+ profile:employer = a big insurance company'],
    ['I retired in 2014.', '+ profile:occupation = retired'],
  ])('"%s" is learned', (text, fact) => {
    expect(facts(text)).toContain(fact);
  });

  it('somebody who works for a named employer does not also work for "a bank"', () => {
    const known: StoredFact[] = extract(['I work at Barclays.']).map((fact) => ({
      ...fact,
      id: '1',
    }));
    expect(extract(['I work for a bank.'], known).map(brief)).toEqual([]);
  });

  it.each([
    'I applied for a new job, receptionist at a vet.',
    'I work for a living',
    'I retired to bed early',
    'A bank called',
  ])('"%s" says nothing of it', (text) => {
    expect(facts(text).filter((fact) => fact.includes('profile:'))).toEqual([]);
  });
});

it.each([
  ["I'm not a morning person.", 'The user is not a morning person.'],
  ['I was a postman for 38 years.', 'The user was a postman for 38 years.'],
  ["I'm not a baker anymore.", 'The user is no longer a baker.'],
  ['No bullet points ever.', 'The user wants no bullet points.'],
  ['Please stop apologising all the time.', 'The user wants the assistant not to: apologising.'],
  ['Keep answers short.', 'The user wants the assistant to: keep answers short.'],
  ['I live in a small flat in Leeds.', 'The user lives in Leeds.'],
  ["I'm studying Spanish on Duolingo.", 'The user wants to learn Spanish on Duolingo.'],
])('"%s" is put as "%s"', (text, statement) => {
  expect(extract([text]).map((fact) => fact.statement)).toContain(statement);
});

it.each([
  'I keep answers short',
  'Keep messages in the queue',
  'I study since September',
  'I want to learn.',
])('"%s" is no instruction, subject or goal', (text) => {
  expect(facts(text)).toEqual([]);
});

describe('a change that is told later', () => {
  const note = (statement: string): StoredFact => ({
    ...{ id: '1', category: 'EXPERIENCE', key: null, polarity: 'POSITIVE' },
    ...{ value: statement, statement },
  });
  const ended = (before: string, text: string) =>
    extract([text], [note(before)]).some(({ factId }) => factId === '1');

  it.each([
    ['price stays at 149', 'amsterdam is off btw, staying in berlin'],
    [
      'I have an appointment with Dr Patel about my hip',
      'we go in spring instead if my hip lets me',
    ],
  ])('"%s" is not ended by one word that "%s" shares', (before, text) => {
    expect(ended(before, text)).toBe(false);
  });

  it.each([
    ['hired a designer, yuki', 'yuki quit'],
    ['we close on mondays', 'as of this week we shut sundays instead of mondays'],
    ['she takes gliclazide at breakfast', 'the doctor stopped the gliclazide completely'],
  ])('"%s" is ended by "%s", which says that it changed', (before, text) => {
    expect(ended(before, text)).toBe(true);
  });
});
