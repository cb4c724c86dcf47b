import { describe, expect, it } from 'vitest';
import { KEY_MOMENT } from '../../../src/domain/episodes/forgetting.ts';
import { isLifeNews, newsIn } from '../../../src/language/en/shattering-news.ts';

const said = (text: string, role: 'USER' | 'ASSISTANT' = 'USER') => newsIn([{ role, text }]);

describe('shattering news', () => {
  it.each([
    'Dad died this morning.',
    'my mum just passed away, the funeral is on friday',
    'They told us at noon: the whole Lisbon office is being closed.',
    'I got laid off today, just like that.',
    'We were evicted this morning.',
    "It's cancer. Stage three.",
    'My brother had a stroke last night.',
    'Our house burned down.',
    'She left me. After nine years she just packed her things.',
    "I'm pregnant!!",
    'Wow, I had no idea, this changes everything!',
    'We lost our dog yesterday.',
  ])('the news is a key moment: %s', (text) => {
    expect(said(text)).toBeGreaterThanOrEqual(KEY_MOMENT);
  });

  it.each([
    "I'm dead, what a day.",
    'My laptop died this morning.',
    'The battery is dead again.',
    'My grandfather died in 1987.',
    'When I was ten my dog died.',
    'In the film the mother died at the end.',
    'What would you do if your office was closed?',
    "I'm afraid the whole office is being closed one day.",
    'Did your dad pass away?',
    'My dad is not dead, he is in Porto.',
    'lol my boss died laughing',
    'The office is closed on Mondays.',
    'Can you fire up the oven?',
    'And what does the flat cost?',
    'I was so tired that I nearly died.',
  ])('the text is not a key moment: %s', (text) => {
    expect(said(text)).toBe(0);
  });

  it('what the assistant says is not news about the user', () => {
    expect(said('Your dad died this morning, you said.', 'ASSISTANT')).toBe(0);
  });
});

describe('isLifeNews', () => {
  it.each([
    "I'm pregnant!",
    'omg im pregnant',
    'Marisol is expecting a baby in June.',
    'My sister gave birth to a girl this morning.',
    "It's a boy!",
    'I GOT THE JOB!',
    'Emil lost his job at the yard.',
    'they let me go on monday',
    "We're moving to Tromso in spring.",
    'Ida moved out.',
    'Kenji and I got engaged on the pier!',
    'She said yes!',
    'we broke up.',
    'My brother was diagnosed with asthma.',
    'Dad died this morning.',
    'Pip broke his arm on the slide.',
    'We bought a house in Odda.',
    'I handed in my notice.',
  ])('the life of somebody changes: %s', (text) => {
    expect(isLifeNews(text)).toBe(true);
  });

  it.each([
    'Are you pregnant?',
    "I'm not moving to Tromso.",
    'My laptop died this morning.',
    'The meeting moved to Friday.',
    'I moved the sofa to the attic.',
    'We split up the work.',
    'He broke the vase.',
    'She said yes to the second offer.',
    'I got a haircut.',
    'If I got the job, I would move.',
    'In the film she got married.',
    'We had a lovely evening at home.',
    'I am engaged in three projects.',
    'I found a job lot of tiles last year.',
  ])('no life changes: %s', (text) => {
    expect(isLifeNews(text)).toBe(false);
  });
});
