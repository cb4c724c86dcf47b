import { describe, expect, it } from 'vitest';
import { extract, facts, type Said } from '../../said.ts';

const statements = (...talk: Said[]) => extract(talk).map(({ statement }) => statement);

describe('the grammar of statements', () => {
  it.each([
    ["I'm an early bird", 'The user is an early bird.'],
    ["I'm a early riser", 'The user is an early riser.'],
    ["I'm a night owl", 'The user is a night owl.'],
    ['I work as nurse', 'The user works as a nurse.'],
    ['I work as a engineer', 'The user works as an engineer.'],
    ['I work as an electrician in Leeds', 'The user works as an electrician.'],
    ['I work as a university lecturer', 'The user works as a university lecturer.'],
    ['I work as head of sales at Arup', 'The user works as head of sales.'],
  ])('"%s" becomes the statement "%s"', (text, statement) => {
    expect(statements(text)).toContain(statement);
  });

  it('the article is corrected in statements about other people, too', () => {
    expect(statements('My wife Ana works as architect.')).toContainEqual(
      expect.stringMatching(/works as an architect/),
    );
  });
});

describe('the tense of statements', () => {
  it.each([
    'I use Zed last week',
    'I used Zed last week',
    'I was using Zed last week',
    'I play chess yesterday',
    'I work at Arup last year',
    'I live in Bath two years ago',
  ])('"%s" gives no statement in the present tense', (text) => {
    for (const statement of statements(text))
      expect(statement).not.toMatch(/^The user (?:uses|plays|works|lives)\b/);
  });

  it.each([
    ['I started using Zed last week', 'The user uses Zed.'],
    ['I use Zed since last week', 'The user uses Zed.'],
    ['I use Zed these days', 'The user uses Zed.'],
    ['I worked at Arup last year', 'The user worked at Arup last year.'],
    ['I live in Bath, moved here last year', 'The user lives in Bath.'],
  ])('"%s" gives the statement "%s", in the right tense', (text, statement) => {
    expect(statements(text)).toContain(statement);
  });
});

describe('corrections of a fact', () => {
  it.each([
    "Correction: it's Bath, not Bristol.",
    'not Bristol, Bath',
    'Not Bristol. Bath.',
    'Bath, not Bristol',
    'bath not bristol',
    'I meant Bath',
    'I meant Bath, not Bristol',
    'I said Bristol, I meant Bath',
    'sorry, Bath not Bristol',
    'scratch that, Bath',
    'make that Bath',
    'Oops, typo: Bath',
    'Correction: Bath.',
  ])('"%s" corrects the city', (text) => {
    const found = extract(['I live in Bristol.', text]);
    expect(found.at(-1)).toMatchObject({ key: 'profile:city', value: 'Bath', isCorrection: true });
  });

  it.each([
    ['My name is Jon.', "It's John, not Jon.", 'profile:name', 'John'],
    ['I work at Shell.', 'correction, BP not Shell', 'profile:employer', 'BP'],
    ["I'm 33.", 'not 33, 34', 'profile:age', '34'],
  ])('"%s" is corrected by "%s"', (first, second, key, value) => {
    expect(extract([first, second]).at(-1)).toMatchObject({ key, value, isCorrection: true });
  });

  it.each([
    'tea, not coffee',
    'not Exeter, Bath',
    'the train goes to Bath, not Bristol, on Sundays only',
    'not Bristol again!',
  ])('a text that takes nothing back is not a correction: %s', (text) => {
    expect(facts('I live in Bristol.', text)).toEqual(['+ profile:city = Bristol']);
  });
});

describe('contact details', () => {
  const MAIL = 'dana@example.org';
  const PHONE = '07700 900123';

  it.each([
    `reach me at ${MAIL}`,
    `my email's ${MAIL}`,
    `drop me a line at ${MAIL}`,
    `shoot me an email at ${MAIL}`,
    `mail me: ${MAIL}`,
    `hit me up at ${MAIL}`,
    `${MAIL} is my email`,
    `${MAIL} is the best address for me`,
    `I'm reachable at ${MAIL}`,
  ])('"%s" gives the email address of the user', (text) => {
    expect(facts(text)).toEqual([`+ profile:email = ${MAIL}`]);
  });

  it.each([
    `text me on ${PHONE}`,
    `my number's ${PHONE}`,
    `send me a text on ${PHONE}`,
    `give me a call on ${PHONE}`,
    `give me a ring at ${PHONE}`,
    `I'm reachable under ${PHONE}`,
    `you can get me on ${PHONE}`,
  ])('"%s" gives the phone number of the user', (text) => {
    expect(facts(text)).toEqual([`+ profile:phone = ${PHONE}`]);
  });

  it.each([
    `call the plumber on ${PHONE}`,
    `reach my sister at ${MAIL}`,
    `send Tom a text on ${PHONE}`,
    `${MAIL} is my sister's email`,
  ])('a contact of somebody else is not a contact of the user: %s', (text) => {
    expect(facts(text).join()).not.toMatch(/profile:(?:email|phone) /);
  });
});
