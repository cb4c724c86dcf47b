import { describe, expect, it } from 'vitest';
import { brief, extract, facts } from './said.ts';

/** What is learned of people and animals, without notes. */
const ofBeings = (text: string) =>
  facts(text).filter((fact) => /^. (?:person|profile:pet):/.test(fact));

describe('several things said of one person', () => {
  it.each([
    [
      'my sister lives in Toronto and works as a lawyer',
      '+ person:sister:city = Toronto',
      '+ person:sister:occupation = lawyer',
    ],
    [
      'my brother is a chef and lives in Oslo',
      '+ person:brother:occupation = chef',
      '+ person:brother:city = Oslo',
    ],
    [
      'my wife is vegan and allergic to nuts',
      '+ person:wife:diet = vegan',
      '+ person:wife:allergy = nuts',
    ],
    [
      'My son is four and severely allergic to nuts',
      '+ person:son:age = four',
      '+ person:son:allergy = nuts',
    ],
    [
      'my uncle is 50, lives in Oslo and works as a chef',
      '+ person:uncle:age = 50',
      '+ person:uncle:city = Oslo',
      '+ person:uncle:occupation = chef',
    ],
  ])('"%s" gives each of them', (text, ...expected) => {
    expect(facts(text)).toEqual(expected);
  });

  it.each([
    ['my brother is a chef and his wife lives in Oslo', '+ person:brother:occupation = chef'],
    ['my dad has a friend who is rich and lives in Oslo'],
    ['my brother says mum is 70 and lives in Oslo'],
    ['my sister lives in Toronto and I work as a lawyer', '+ person:sister:city = Toronto'],
  ])('"%s" says the rest of another', (text, ...expected) => {
    expect(ofBeings(text)).toEqual(expected);
  });
});

it.each(['She is vegan and allergic to nuts', 'The dog is old and very allergic to fish'])(
  '"%s" is no allergy of the user',
  (text) => {
    expect(facts(text)).toEqual([]);
  },
);

describe('conditions and diets of others', () => {
  it.each([
    [
      'my husband has type 2 diabetes',
      '+ person:husband:condition_type_2_diabetes = type 2 diabetes',
    ],
    [
      'my mum was diagnosed with breast cancer',
      '+ person:mother:condition_breast_cancer = breast cancer',
    ],
    [
      'our cat Tigris got diagnosed with asthma last week',
      '+ profile:pet:tigris:species = cat',
      '+ profile:pet:tigris:condition_asthma = asthma',
    ],
    ['my wife is vegetarian', '+ person:wife:diet = vegetarian'],
    ["my sister isn't vegan anymore", '- person:sister:diet = vegan'],
    ['my daughter is dyslexic', '+ person:daughter:condition_dyslexic = dyslexic'],
    ['my dad is deaf in one ear', '+ person:father:condition_deaf = deaf'],
    ['my dog is on a renal diet', '+ profile:pet:dog:diet = renal'],
    [
      "Ilka, that's my niece, she is coeliac",
      '+ person:ilka:condition_coeliac = coeliac',
      '+ person:ilka:relation = niece',
    ],
  ])('"%s" is learned', (text, ...expected) => {
    expect(facts(text)).toEqual(expected);
  });

  it.each([
    "my wife's restaurant is vegetarian",
    'my wife is vegetarian on Mondays',
    'my brother has a cold',
    'my brother has diabetes medication to sell',
    'my sister has anxiety about her exam',
    'my mum has no cancer',
    'my boss is deaf to reason',
    'my brother is blind drunk',
    'my dog is on a diet of treats lol',
    'my mum was diagnosed with being too nice',
    'Is my wife vegetarian?',
  ])('"%s" says nothing of the kind', (text) => {
    expect(ofBeings(text)).toEqual([]);
  });

  it('the short form of "is" is told from a possessive', () => {
    const known = extract(['My friend Béla is 40']).map((found) => ({ ...found, id: 'f1' }));
    const learned = (text: string) => extract([text], known).map(brief);
    expect(learned("Béla's veggie")).toEqual(['+ person:béla:diet = veggie']);
    expect(learned("Béla's vegan lasagne is good").join()).not.toContain('diet');
  });

  it('somebody may have two conditions', () => {
    expect(facts('My dad has asthma. He also has gout.')).toEqual([
      '+ person:father:condition_asthma = asthma',
      '+ person:father:condition_gout = gout',
    ]);
  });
});

describe('names of others', () => {
  it.each([
    ['my landlord is called Mr Osei', 'person:mr_osei:relation = landlord'],
    ['my therapist is Dr Lindqvist', 'person:dr_lindqvist:relation = therapist'],
    ['my solicitor is called Mrs Khan', 'person:mrs_khan:relation = solicitor'],
    ['my new boss is called Priya', 'person:priya:relation = boss'],
    ['my dear old friend Priya is here', 'person:priya:relation = friend'],
    ['my best friend is called Priya', 'person:priya:relation = best friend'],
    ['my older sister is called Priya', 'person:priya:relation = older sister'],
    ['my old boss is called Priya', 'person:priya:relation = old boss'],
    ['my ex wife is called Priya', 'person:priya:relation = ex wife'],
    ['Zola (flatmate) paid his fine', 'person:zola:relation = flatmate'],
    ['carla (my boss) is away', 'person:carla:relation = boss'],
    ['I met Jost (my colleague) today', 'person:jost:relation = colleague'],
    ['jost, my colleague, says hi', 'person:jost:relation = colleague'],
  ])('"%s" introduces somebody', (text, expected) => {
    expect(facts(text)).toEqual([`+ ${expected}`]);
  });

  it('what is said in brackets leaves the sentence to notes', () => {
    const text = "Ilka (my daughter, she's in Bristol) gave me her bike for every Monday ride";
    expect(facts(text)).toEqual([
      '+ person:ilka:relation = daughter',
      '+ person:ilka:city = Bristol',
      `+ RELATIONSHIP = ${text}`,
    ]);
  });

  it.each([
    "Ilka (my daughter, she's in hospital) rang",
    "Ilka (my daughter, she's in Bristol this week) rang",
  ])('"%s" says not where somebody lives', (text) => {
    expect(ofBeings(text)).toEqual(['+ person:ilka:relation = daughter']);
  });

  it.each([
    'my dad is Mr Grumpy',
    'I paid (friend price)',
    'Monday (boss away)',
    'python (partner project)',
    'Bristol (my sister) was nice',
    'I use Trello (my boss, not me)',
    'lunch (my colleague) was nice',
    'dinner (friend) was nice',
    'Sam lives with Kim (flatmate)',
    'yesterday, my colleague, says he, was away',
  ])('"%s" introduces nobody', (text) => {
    expect(ofBeings(text)).toEqual([]);
  });
});

describe('names of several children', () => {
  const two = ['+ person:mia:relation = child', '+ person:leo:relation = child'];
  it.each([
    ['my kids are called Mia and Leo', ...two],
    ['i have two kids, mia and leo', ...two],
    ['My two kids, Mia and Leo, are ill', ...two],
    [
      'our daughters Ida (4) and Elsa (7) are ill',
      '+ person:ida:relation = daughter',
      '+ person:ida:age = 4',
      '+ person:elsa:relation = daughter',
      '+ person:elsa:age = 7',
    ],
  ])('"%s" gives each of them', (text, ...expected) => {
    expect(ofBeings(text)).toEqual(expected);
  });

  it.each([
    'I have two kids, a dog and a house',
    'I have two kids, maths and english',
    'I have three kids, Mia and Leo',
    'Are my kids called Mia and Leo?',
    'If I had two kids, Mia and Leo, we would move',
    'I bought my kids Lego and Duplo',
    'my kids love Mia and Leo',
    'Happy Easter to my kids, Mia and Leo',
  ])('"%s" names none', (text) => {
    expect(ofBeings(text)).toEqual([]);
  });
});

describe('somebody who was not mentioned before', () => {
  it.each([
    ['Marta is vegetarian.', '+ person:marta:diet = vegetarian'],
    ['Tom is allergic to nuts, so no satay', '+ person:tom:allergy = nuts'],
  ])('"%s" is known by a usual name', (text, fact) => {
    expect(facts(text)).toEqual([fact]);
  });

  it.each([
    'Dinner is vegetarian.',
    'Wagamama is vegan',
    'Lunch has diabetes in mind',
    'Is Marta vegetarian?',
    'Nobody is allergic to nuts',
  ])('"%s" says nothing of anybody', (text) => {
    expect(facts(text).filter((fact) => fact.includes('person:'))).toEqual([]);
  });
});
