import { describe, expect, it } from 'vitest';
import { retell } from '../../../src/reasoner/extractive/retell.ts';

const maya = { speaker: 'Maya', other: 'Tom', asks: false };
const user = { speaker: 'the user', other: 'the assistant', asks: true };
const names = ['Maya', 'Tom'];

describe('retell', () => {
  it.each([
    ['I moved to Oslo in May 2021.', 'Maya moved to Oslo in May 2021.'],
    ["Yeah, well, I'm a nurse and I love it!", 'Maya is a nurse and they love it.'],
    ['I work at the harbour and love it.', 'Maya works at the harbour and loves it.'],
    ["I don't eat meat.", "Maya doesn't eat meat."],
    [
      'My sister works at Siemens, and I visit her on Fridays.',
      "Maya's sister works at Siemens, and they visit her on Fridays.",
    ],
    ['Anna and I were at the lake.', 'Anna and Maya were at the lake.'],
    ['We went camping last week.', 'Maya said they went camping last week.'],
    ['Hey Tom, I bought a van.', 'Maya bought a van.'],
    ['You should try the new bakery.', 'Maya said Tom should try the new bakery.'],
    ['Drove 50 km to the clinic.', 'Maya drove 50 km to the clinic.'],
    [
      'Painting the fence all weekend with Ida.',
      'Maya is painting the fence all weekend with Ida.',
    ],
    ['Painting is what keeps Ida calm.', 'Painting is what keeps Ida calm.'],
    ['Did you see the comet?', 'Maya asked if Tom saw the comet.'],
    ['Do you like rye bread?', 'Maya asked if Tom likes rye bread.'],
    ['The error rate is back to 0.1%.', 'The error rate is back to 0.1%.'],
  ])('tells "%s" in the third person', (said, told) => {
    expect(retell(said, maya, names)).toBe(told);
  });

  it.each([
    ["What's the weather in Oslo?", 'The user asked about the weather in Oslo.'],
    ['What about next week?', 'The user asked about next week.'],
    ['When is my next appointment?', 'The user asked when their next appointment is.'],
    ['Can you find me a hotel near the station?', 'The user asked for a hotel near the station.'],
    ['Book a table for 6 at 8pm.', 'The user asked to book a table for 6 at 8pm.'],
    [
      'Please remind me to call Ida on 3 May.',
      'The user asked to be reminded to call Ida on 3 May.',
    ],
    ['Is there parking?', 'The user asked if there is parking.'],
    ['I need a train from Bergen to Voss.', 'The user needs a train from Bergen to Voss.'],
    [
      'Wherever the blue ones went, are they coming back?',
      'The user asked: "Wherever the blue ones went, are they coming back?"',
    ],
  ])('reports "%s"', (said, told) => {
    expect(retell(said, user, [])).toBe(told);
  });
});
