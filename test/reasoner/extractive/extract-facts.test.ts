import { describe, expect, it } from 'vitest';
import type { StoredFact } from '../../../src/domain/facts/fact.ts';
import { brief, extract, facts } from './said.ts';

describe('facts about the user', () => {
  it.each([
    ["My name's Orsolya.", '+ profile:name = Orsolya'],
    ['people call me Orsi', '+ profile:nickname = Orsi'],
    ['im 47 and my back knows it', '+ profile:age = 47'],
    ['My birthday is on 3 June.', '+ profile:birthday = 3 June'],
    ['write to me at orsi@danube.example', '+ profile:email = orsi@danube.example'],
    ['my phone number is +36 1 555 0142', '+ profile:phone = +36 1 555 0142'],
    ['my site is orsi.example, have a look', '+ profile:website = orsi.example'],
    ['i live in szeged', '+ profile:city = szeged'],
    ["We've moved to Pécs for good", '+ profile:city = Pécs'],
    ['I live in Hungary', '+ profile:country = Hungary'],
    ['I was raised in Eger', '+ profile:hometown = Eger'],
    ["I'm a stonemason", '+ profile:occupation = stonemason'],
    ['I work for Herend', '+ profile:employer = Herend'],
    ['I study at the University of Debrecen', '+ profile:school = the University of Debrecen'],
    ['I speak Romani', '+ profile:language = Romani'],
    ["I'm 47.", '+ profile:age = 47'],
    ['from now on call me Orsi', '+ profile:nickname = Orsi'],
    ['as a glazier I see many broken windows', '+ profile:occupation = glazier'],
    ['any jokes about plumbers? I am one', '+ profile:occupation = plumber'],
    ['my sister thinks I live in Eger but I moved to Vác', '+ profile:city = Vác'],
    ['I study geology', '+ IDENTITY = geology'],
    ["I'm Slovak, sorry for my grammar", '+ IDENTITY = Slovak'],
    ['I use xe/xem pronouns', '+ profile:pronouns = xe/xem'],
  ])('"%s" gives a fact about the user', (text, fact) => {
    expect(facts(text)).toEqual([fact]);
  });

  it('one sentence can give several facts', () => {
    expect(facts("I'm a 29-year-old glazier at Zsolnay and I live in Győr")).toEqual([
      '+ profile:age = 29',
      '+ profile:occupation = glazier',
      '+ profile:employer = Zsolnay',
      '+ profile:city = Győr',
    ]);
  });
});

describe('preferences, goals and constraints', () => {
  it.each([
    ['I adore plum dumplings', '+ preference:plum_dumpling = plum dumplings'],
    ['I drink my tea black', '+ preference:tea_black = tea black'],
    ['I would rather have rye than wheat, always', '+ preference:rye = rye'],
    ['I used to hate beets but now I love them', '+ preference:beet = beets'],
    ['I drive a Trabant', '+ preference:trabant = Trabant'],
    ['I always go for the window seat on trains', '+ preference:window_seat = window seat'],
    ['I support Ferencváros', '+ interest:ferencváros = Ferencváros'],
    ['I work night shifts', '+ CONSTRAINT = night shifts'],
    ['my doctor told me I have gout', '+ CONSTRAINT = gout'],
    [
      'my partner and I are planning to buy a barge next year',
      '+ goal:buy_barge_next_year = buy a barge next year',
    ],
    ["I can't stand aniseed", '- preference:aniseed = aniseed'],
    ['my favourite dish is lángos', '+ preference:favourite_dish = lángos'],
    ['I use Krita for all my sketches', '+ preference:krita = Krita'],
    ["we don't use Teams any more", '- preference:teams = Teams'],
    ["I'm really into caving", '+ interest:caving = caving'],
    ["I'm not interested in cricket", '- interest:cricket = cricket'],
    ['I have played the zither... well, I play the trumpet', '+ skill:trumpet = trumpet'],
    [
      "I'm allergic to latex and mangoes",
      '+ constraint:allergy:latex = latex',
      '+ constraint:allergy:mango = mangoes',
    ],
    ["I'm pescatarian", '+ constraint:diet:pescatarian = pescatarian'],
    ["I don't eat veal", '- constraint:avoid:veal = veal'],
    ["I don't use fax no matter what they say", '- preference:fax = fax'],
    ["I can't do Wednesdays", '- constraint:availability:wednesday = Wednesdays'],
    ['I use a wheelchair', '+ CONSTRAINT = wheelchair'],
    ["I'm such a procrastinator", '+ PERSONALITY = procrastinator'],
    ['i always work best in the morning', '+ PERSONALITY = works best in the morning'],
    ["I've never been to Malta", '- EXPERIENCE = Malta'],
    ['I lived in Tunis for two years', '+ EXPERIENCE = Tunis'],
    ["I'm saving for a canoe", '+ goal:canoe = a canoe'],
  ])('"%s" gives the expected facts', (text, ...expected) => {
    expect(facts(text)).toEqual(expected);
  });
});

describe('people and animals', () => {
  it.each([
    [
      'My cousin Béla lives in Sopron',
      '+ person:béla:relation = cousin',
      '+ person:béla:city = Sopron',
    ],
    ['my grandfather is 88', '+ person:grandfather:age = 88'],
    ["my landlord's name is Gergő", '+ person:gergő:relation = landlord'],
    ['We have a parrot called Tök', '+ profile:pet:tök:species = parrot'],
    [
      'My dog Bodza is a vizsla',
      '+ profile:pet:bodza:species = dog',
      '+ profile:pet:bodza:breed = vizsla',
    ],
    ['Ilka, my niece, turns up at noon', '+ person:ilka:relation = niece'],
    ['my mum is 70', '+ person:mother:age = 70'],
    ["my uncle's birthday is on 3 June", '+ person:uncle:birthday = 3 June'],
    ['We got a kitten. Her name is Bogyó.', '+ profile:pet:bogyó:species = kitten'],
    ["I'm Réka's dad", '+ person:réka:relation = child'],
    ['I have three nephews', '+ RELATIONSHIP = three nephews'],
    ["I don't have any siblings", '- RELATIONSHIP = siblings'],
  ])('"%s" gives facts about another person or a pet', (text, ...expected) => {
    expect(facts(text)).toEqual(expected);
  });

  it('a pronoun refers to the person who was mentioned before', () => {
    expect(facts('any gift ideas for my aunt? her name is Piroska')).toEqual([
      '+ person:piroska:relation = aunt',
    ]);
  });

  it('a known person keeps the key of the known fact', () => {
    const known: StoredFact = {
      id: 'f1',
      category: 'RELATIONSHIP',
      key: 'person:béla:relation',
      value: 'cousin',
      statement: "Béla is the user's cousin.",
      polarity: 'POSITIVE',
    };
    expect(extract(['Béla has moved to Vác'], [known]).map(brief)).toEqual([
      '+ person:béla:city = Vác',
    ]);
  });
});

describe('instructions', () => {
  it.each([
    ['From now on answer in Finnish.', '+ instruction:language = answer in Finnish'],
    ['please never use tables', '- instruction:table = tables'],
    ['whenever you quote a price, give it in forints', '+ instruction:forint = give it in forints'],
    ['keep your replies brief', '+ instruction:length = keep answers brief'],
    ['stop apologising', '- instruction:apology = apologising'],
  ])('"%s" gives an instruction', (text, fact) => {
    expect(facts(text)).toEqual([fact]);
  });

  it.each([
    'just for this reply, use a table',
    'translate this letter and keep it short',
    'this once, answer in rhyme',
    'never mind, I found it',
    'let me know if you need anything else',
  ])('"%s" gives no instruction', (text) => {
    expect(facts(text)).toEqual([]);
  });
});

it('context turns give no facts, and each fact names its turn', () => {
  const found = extract(['I live in Eger', 'I have a goat called Mák'], [], 1);
  expect(found).toMatchObject([
    { key: 'profile:pet:mák:species', turn: 1, action: 'NEW', factId: null },
  ]);
});

it('"can\'t" in the reason for a limit does not change the limit', () => {
  const [fact] = extract(["I don't drink coffee after noon, I can't sleep otherwise."]);
  expect(fact?.statement).toMatch(/^The user does not drink coffee/);
});

it('a sentence that no pattern reads is noted beside the facts of its turn', () => {
  const found = facts('I live in Utrecht. no long answers please, max 3 lines, i read on my phone');
  expect(found[0]).toBe('+ profile:city = Utrecht');
  expect(found.join()).toMatch(/no long answers please/);
});
