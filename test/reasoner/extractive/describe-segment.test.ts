import { describe, expect, it } from 'vitest';
import { describeSegment } from '../../../src/reasoner/extractive/describe-segment.ts';
import { outcomesOf } from '../../../src/reasoner/extractive/quotes/outcomes.ts';
import { participantsOf } from '../../../src/reasoner/extractive/quotes/participants.ts';
import { sentencesOf } from '../../../src/reasoner/extractive/text/sentences.ts';
import { talk } from './talk.ts';

const ROUTER = talk([
  'user: Hi! My router in the attic loses its connection every evening around 9pm. What can I do about it?',
  'assistant: Sorry to hear that! You could move the router to channel 11, because the neighbours are all on channel 6. After that, restart it once.',
  'user: ok, one sec',
  'user: I moved it to channel 11 and the connection has been stable for two hours now. Thanks!',
  'assistant: Great! Is there anything else I can help you with?',
]);

const outcomes = (lines: readonly string[]) => {
  const turns = talk(lines);
  return outcomesOf(turns, sentencesOf(turns), participantsOf(turns));
};

describe('describeSegment', () => {
  it('a description names the subject, quotes each speaker and says how the matter was dealt with', () => {
    const made = describeSegment({ turns: ROUTER });
    expect(made.title?.split(' ').length).toBeGreaterThanOrEqual(5);
    expect(made.title?.split(' ').length).toBeLessThanOrEqual(15);
    expect(made.title).toMatch(/router|connection/i);
    expect(made.summary).toBe(
      'User: My router in the attic loses its connection every evening around 9pm. Assistant: You could move the router to ' +
        'channel 11, because the neighbours are all on channel 6. After that, restart it once. User: ' +
        'I moved it to channel 11 and the connection has been stable for two hours now.',
    );
    expect(made.topic).toMatch(/router|connection|channel/);
    expect(made.approach).toContain('channel 11');
  });

  it('results of tool calls become outcomes', () => {
    const turns = talk([
      'user: Book the Grieg hotel in Bergen for 4 people from 2 May.',
      'tool: {"id":"B-77"}',
      'assistant: Booking was successful, the total is 812 euros.',
    ]);
    if (turns[1])
      turns[1].toolCalls = [
        { name: 'hotel.book', ok: true, result: 'B-77' },
        { name: 'mail.send', ok: false, result: 'timeout' },
      ];
    const made = describeSegment({ turns });
    expect(made.title).toMatch(/^Grieg hotel in Bergen\b/);
    expect(made.outcomes).toEqual([
      { kind: 'TOOL_RESULT', evidence: 'hotel.book: B-77' },
      { kind: 'TOOL_RESULT', evidence: 'mail.send: failed: timeout' },
      { kind: 'MILESTONE', evidence: 'Booking was successful, the total is 812 euros.' },
    ]);
  });

  it.each([
    [
      'German',
      [
        'Maya: Gestern waren wir mit Anna am See in Lindau, und das Wasser hatte 19 Grad.',
        'Tom: Wir fahren am Samstag nach Bregenz, weil dort ein Markt ist.',
      ],
    ],
    [
      'Chinese',
      [
        'Maya: 我们昨天和李华一起去了北京的长城，天气非常好。',
        'Tom: 下个星期六我要去上海参加一个会议。',
      ],
    ],
  ])('a description in %s consists of words of the conversation', (_language, lines) => {
    const turns = talk(lines);
    const { title, summary, topic, approach, outcomes: found } = describeSegment({ turns });
    const source = turns
      .map(({ text, speaker }) => `${speaker}: ${text}`)
      .join(' ')
      .toLowerCase();
    for (const text of [title, summary, topic]) {
      expect(source).toContain((text ?? '-').toLowerCase().replace(/\.$/, ''));
    }
    expect([approach, found]).toEqual(['', []]);
  });

  it.each([
    ['Hi', null],
    ['👍', null],
    ['https://example.org/a/b', null],
    ['ok great, thanks!', null],
    ['42', 'User: 42'],
  ])('text without content gets no title and no topic: %j', (text, summary) => {
    const made = describeSegment({ turns: talk([`user: ${text}`]) });
    expect(made).toMatchObject({ title: null, topic: null, summary });
  });
});

describe('the approach of a description', () => {
  const approach = (lines: readonly string[]) => describeSegment({ turns: talk(lines) }).approach;

  it.each([
    ['user: They offered me the post in Bergen!', 'assistant: What wonderful news for you.'],
    ['user: Our goat lies where her sister used to lie.', 'assistant: Goats mourn as well.'],
    ['user: The surgeon has no slot before October.', 'assistant: Half a year of waiting.'],
    ['user: All eleven cousins stay over on Friday.', 'assistant: A crowded house.'],
    ['user: Ingrid lent us her trailer.', 'assistant: That was generous of Ingrid.'],
    ['user: I lost my keys again.', 'assistant: I can imagine the trouble.'],
  ])('a reaction is no approach: %s %s', (...lines) => {
    expect(approach(lines)).toBe('');
  });

  it.each([
    [
      'an answer to a question',
      ['user: Which lake near Oslo is the deepest?', 'assistant: Tyrifjorden, 295 metres.'],
      'Tyrifjorden, 295 metres',
    ],
    [
      'an answer to a request',
      ['user: Find me a novel about whales.', 'assistant: Moby-Dick by Melville.'],
      'Moby-Dick by Melville',
    ],
    [
      'a new name',
      [
        'user: The rash on my arm is back.',
        'assistant: Dermatitis flares up under Nitrile gloves.',
      ],
      'Dermatitis flares up under Nitrile gloves',
    ],
    [
      'a condition',
      ['user: The pump hums but stays dry.', 'assistant: If the filter is clogged, the pump hums.'],
      'If the filter is clogged, the pump hums',
    ],
    [
      'an answer after a question in return',
      [
        'user: When does the ferry leave?',
        'assistant: From Moss or from Larvik?',
        'user: From Moss.',
        'assistant: The ferry leaves every half hour.',
      ],
      'The ferry leaves every half hour',
    ],
    [
      'advice',
      ['user: My tooth hurts at night.', 'assistant: You should rinse it with salt water.'],
      'You should rinse it with salt water',
    ],
    [
      'an order',
      ['user: The roses have aphids.', 'assistant: Spray the leaves with soapy water.'],
      'Spray the leaves with soapy water',
    ],
    [
      'a commitment',
      ['user: The dentist moved it to 9 April.', "assistant: I'll move the reminder to 9 April."],
      "I'll move the reminder to 9 April",
    ],
  ])('%s is the approach', (_what, lines, said) => {
    expect(approach(lines)).toBe(said);
  });
});

describe('news that change a life', () => {
  it.each([
    [
      ['Ida: Im engaged!! since friday evening. so no singles hut for me in July', 'Tom: wow!!'],
      'Im engaged',
    ],
    [
      [
        'Tom: The hut on Lake Mjosa has four beds and a stove, we should book it for the May holidays.',
        'Ida: We broke up. The red tent and the stove are at my place, the ropes are in his cellar in Hamar.',
        'Tom: I can fetch the ropes in Hamar with the van on Thursday, and the stove from your place.',
        'Mia: The van needs new tyres before Thursday, the garage in Hamar has them for 320 euros.',
      ],
      'We broke up',
    ],
    [
      [
        'user: The radiator in the hall of the house in Odda leaks again, 2 litres a day.',
        'assistant: Turn the valve clockwise and put a bucket under it.',
        'user: My sister gave birth last night. The valve is stuck and the bucket is full, the plumber in Odda wants 90 euros.',
        'assistant: Ask the plumber whether 90 euros include the valve.',
        'user: The plumber says the valve costs 35 euros more, and he comes on Tuesday at 9:30.',
      ],
      'My sister gave birth last night',
    ],
  ])('the summary has the news, not only what follows: %j', (lines, news) => {
    expect(describeSegment({ turns: talk(lines) }).summary).toContain(news);
  });
});

describe('outcomesOf', () => {
  it.each([
    ["We've decided on the blue kitchen.", 'DECISION'],
    ['and ive decided. no second coat', 'DECISION'],
    ["Let's go with the 7:40 train.", 'DECISION'],
    ["I'm going with the smaller van.", 'DECISION'],
    ["I'll call the landlord tomorrow morning.", 'NEXT_STEP'],
    ['I still have to hand in the form by Friday.', 'NEXT_STEP'],
    ['Then we paint the hall on Sunday.', 'NEXT_STEP'],
    ['I passed my driving test!', 'MILESTONE'],
    ['I just got the job in Bergen.', 'MILESTONE'],
    ['The leak is fixed.', 'MILESTONE'],
  ])('"%s" is a %s', (text, kind) => {
    expect(outcomes([`Maya: ${text}`]).map((outcome) => outcome.kind)).toEqual([kind]);
  });

  it.each([
    'Have you decided on a kitchen?',
    "I haven't finished the form.",
    "I won't give up.",
    'If I passed the test, I would buy a car.',
    'What is the capital of Peru?',
    'My new number is 555 0199.',
    'It rained all day.',
    'We met on Monday.',
    'We usually swim on Mondays.',
    "Let's see.",
  ])('"%s" is no outcome', (text) => {
    expect(outcomes([`Maya: ${text}`])).toEqual([]);
  });
});
