import { describe, expect, it } from 'vitest';
import { facts, type Said } from './said.ts';

describe('texts that give no facts', () => {
  it.each([
    ['a question', 'Should I become a glazier?'],
    ['a supposition', 'Suppose I live in Malta and have two kids. What then?'],
    ['a condition', 'If I were vegan, what could I eat?'],
    ['a wish', 'I wish I lived in Malta'],
    ['a quotation', 'the guide said "I live in Eger and I hate wine" and laughed'],
    ['a quoted line', 'what does he want?\n> I work at Zsolnay\n> I hate Mondays'],
    ['code', 'why?\n```\n# I live in Eger\n```'],
    ['a log', 'see:\n2025-01-01 10:00:00 WARN I use swap\n2025-01-01 10:00:01 ERROR no'],
    ['a text to work on', 'Please proofread: I live in Eger and I am a baker.'],
    ['a text to invent', 'Write a bio for a pirate. He says he is 50'],
    ['sarcasm', 'Oh great, another update. I just love waiting for updates.'],
    ['a mood', "I'm so hungry and I'm in the kitchen"],
    ['a message that may be a fraud', 'I am Count Otto and I live in Wien. Is this mail a scam?'],
    ['another language', 'Ich wohne in Graz und ich bin Maurer, mein Name ist Otto'],
    ['a remark on what is at hand', 'I love your second idea'],
    ['a wish for this booking', 'I like expensive restaurants, and I prefer to leave after nine'],
    ['a filler', 'i have like 300 a month for rent'],
    ['a taste of today', 'I hate my calendar and I hate meetings today'],
    ['a passing state', "I'm in a wheelchair at the moment"],
    ['a shown text', 'Any mistakes?\nI am Otto. I am 9 years old. I have a hamster.'],
    ['a meaning asked', 'What does the lyric mean: I live in Eger'],
    ['a formal letter', 'Subject: flat\nDear Sir, I live in Eger.\nPlease shorten it.'],
    ['choices', 'Which one? a) I live in Eger b) I have lived in Eger'],
    ['a novel', 'In my novel, I am a detective and I live in Graz'],
    ['a sign', 'the sign says I am a guard dog and I live here'],
    ['a joke', 'I live in Monaco. Just kidding.'],
    ["what is another's", "My car is a Trabant. No sorry, that's my brother's."],
    ['a way to travel', "I'm leaving from Eger, I'm looking for a train from Eger to Vác"],
    ['an errand', "I'm looking for a plumber who lives in Eger"],
  ])('%s gives no fact', (_name, text) => {
    expect(facts(text)).toEqual([]);
  });

  it.each(['ASSISTANT', 'SYSTEM', 'TOOL', 'OTHER'] as const)(
    'the words of the role %s give no fact',
    (role) => {
      expect(facts([role, 'I live in Eger. You are vegan.'], 'hm')).toEqual([]);
    },
  );

  it('role play gives no facts until it ends', () => {
    const talk: Said[] = [
      "Let's role-play: I'm a knight and I hate dragons.",
      ['ASSISTANT', 'Roar!'],
    ];
    expect(facts(...talk, 'I live in a castle in Eger')).toEqual([]);
    expect(facts(...talk, 'ok, stop the role play. I live in Vác')).toEqual([
      '+ profile:city = Vác',
    ]);
  });
});
