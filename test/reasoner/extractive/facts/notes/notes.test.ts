import { describe, expect, it } from 'vitest';
import type { StoredFact } from '../../../../../src/domain/facts/fact.ts';
import { readFacts } from '../../../../../src/reasoner/extractive/extract-facts.ts';
import type { Utterance } from '../../../../../src/reasoner/reasoner.ts';

const said = (text: string, role: Utterance['role'] = 'USER'): Utterance => ({
  role,
  speaker: null,
  text,
  occurredAt: new Date('2026-03-02T09:00:00Z'),
});
const notesIn = (turns: Utterance[], known: StoredFact[] = []) =>
  readFacts({ turns, contextTurns: turns.length - 1, known }).facts.filter(({ isNote }) => isNote);

describe('notes', () => {
  it.each([
    ['no long answers please, max 3 lines, i read on my phone', 'INSTRUCTION'],
    ['physio says no squats til october, its the left knee again', 'CONSTRAINT'],
    [
      'And whenever you quote a price, the tax belongs beside it, I forget it each time',
      'INSTRUCTION',
    ],
    ['and yards please, my ruler has nothing else on it, no cm', 'INSTRUCTION'],
    ['four bullets max, always', 'INSTRUCTION'],
    ['dont use stars or dashes', 'INSTRUCTION'],
    ['remind me of that when i ask for another bike: no new bike before june', 'INSTRUCTION'],
    ['rule from now on: backups run before every deploy', 'EXPERIENCE'],
    ['we decided to go with the blue tiles, 34 a square metre, ordered them today', 'EXPERIENCE'],
  ])('a durable statement becomes a note, word for word: %s', (text, category) => {
    const [note] = notesIn([said(text)]);
    expect(note).toMatchObject({ value: text, statement: text, category, key: null });
  });

  it.each([
    'so no steps',
    'got a problem with the boiler it stops every night at two and now the house is cold',
    'the old gate is finally fixed and painted hey what is the film with the two brothers and the boat',
    'if it was up to me we would marry in march on a boat, no guests',
    "we're moving to the moon in march, no neighbours ever (joking)",
    "pete says it's all sand and flies, but pete got thrown out of two hotels in may",
    'what time does the museum open on sundays?',
    'thanks!',
    'ok cool',
    "haha if i won the lottery i'd buy a castle and fire everyone",
    "if it snows in april again i'm moving to a beach and never coming back",
    'gym membership ends on 3 may now, cancelled it for good. no wait, they still want my signature',
    'Pick one for me:\nBlue Van Ltd: 640 all in, only on 3 may\nJoe and Sons: 590, never on weekends',
    'Translate this: no pork for me, never, doctor said so in march, rule is a rule',
    'He wrote: "no long answers please, max 3 lines, i read on my phone"',
  ])('a text that states nothing durable gives no note: %s', (text) => {
    expect(notesIn([said(text)])).toEqual([]);
  });

  it.each([
    'a) dont call me chief b) keep it plain, three bullets max from now on',
    'Dear Assistant,\n\nThe move went well. Three bullets max from now on, please.\n\nRegards,\nVik',
  ])('what the user enumerates or writes as a mail to the assistant is their own: %s', (text) => {
    const values = notesIn([said(text)]).map(({ value }) => value);
    expect(values.join(' ')).toMatch(/three bullets max/i);
  });

  it('a text of the assistant gives no note', () => {
    const text = 'No long answers from now on, max 3 lines, as you read on your phone.';
    expect(notesIn([said('ok'), said(text, 'ASSISTANT')])).toEqual([]);
  });

  it('a sentence that gives a fact gives no note', () => {
    const { facts } = readFacts({
      turns: [said('I live in Utrecht.')],
      contextTurns: 0,
      known: [],
    });
    expect(facts.map(({ key, isNote }) => [key, isNote])).toEqual([['profile:city', undefined]]);
  });

  it('a note keeps the punctuation of the text', () => {
    const text = 'physio’s rule: no squats til october, it’s the left knee again';
    expect(notesIn([said(text)])[0]?.value).toBe(text);
  });
});

const CHOIR: StoredFact = {
  id: '7',
  category: 'EXPERIENCE',
  key: null,
  value: 'choir is on thursdays at half seven in the hall',
  statement: 'choir is on thursdays at half seven in the hall',
  polarity: 'POSITIVE',
};

describe('a later note about the same subject', () => {
  it('a note that states a change replaces the former note', () => {
    const [note] = notesIn([said('choir moves to mondays from june, the hall is taken')], [CHOIR]);
    expect(note).toMatchObject({ action: 'UPDATE', factId: '7', isCorrection: true });
  });

  it('a note with another date for the same event replaces the former note', () => {
    const statement = 'the wedding is on 5 june, in braga';
    const wedding = { ...CHOIR, value: statement, statement };
    const [note] = notesIn([said('ok so the wedding is 12 june, my sister decided')], [wedding]);
    expect(note).toMatchObject({ action: 'UPDATE', factId: '7' });
  });

  it.each([
    'choir has a concert in the hall, always on the last day of may',
    'did choir move to mondays from june?',
    'the dentist moved me to mondays from june, every second week',
  ])('a text that changes nothing does not replace the former note: %s', (text) => {
    expect(notesIn([said(text)], [CHOIR]).filter(({ factId }) => factId !== null)).toEqual([]);
  });
});
