import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryOf, talk } from '../../support/episodes.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** The skills of a talk that is over. */
async function skillsFrom(userId: string, texts: readonly string[]) {
  const client = await world.user(userId);
  world.now = new Date('2026-03-02T09:30:00Z');
  await say(client, { channel: 'sms', turns: talk(texts, '2026-03-02T09:00:00Z') });
  await world.settle();
  world.now = new Date('2026-03-02T18:00:00Z');
  await world.settle();
  return (await memoryOf(client)).skills;
}

describe('a fix that is told in sentences becomes a skill with its steps', () => {
  it('advice becomes a skill if the user said that it worked', async () => {
    const [skill, ...others] = await skillsFrom('brakes', [
      'How do I get rid of the squeal of my disc brakes?',
      'First take the wheel out and wipe the disc with alcohol. Then sand the pads with fine paper. After that brake hard ten times.',
      'That worked, the squeal is gone.',
      'Enjoy the silence.',
    ]);
    expect(others).toEqual([]);
    expect(skill).toMatchObject({
      name: 'Get rid of squeal of disc brakes',
      description:
        'To get rid of the squeal of the disc brakes: 1) Take the wheel out and wipe the disc with alcohol; ' +
        '2) Sand the pads with fine paper; 3) Brake hard ten times.',
      generatedBy: 'EXTRACTIVE',
      evidenceTurns: [1, 2, 3],
    });
  });

  it('what the user did themselves becomes a skill for the trouble that they told before', async () => {
    const skills = await skillsFrom('ledger', [
      'Our nightly export of the ledger fails with a timeout.',
      'Is the file larger than before?',
      'Got it working: first I split the file by account, then I sent the parts one by one, and finally I raised the timeout to 90 seconds. That solved it!',
      'Good that it is split now.',
    ]);
    expect(skills).toMatchObject([
      {
        name: 'Nightly export of ledger fails with timeout',
        description:
          'When the nightly export of the ledger fails with a timeout: 1) Split the file by account; ' +
          '2) Sent the parts one by one; 3) Raised the timeout to 90 seconds.',
        evidenceTurns: [1, 3],
      },
    ]);
  });

  it.each([
    [
      'a story',
      [
        'The train was too slow today.',
        'Oh no.',
        'First I missed it, then the next one came late, finally it worked out.',
      ],
    ],
    [
      'advice that failed',
      ['The heater makes a noise.', 'First open the valve, then bleed it.', "That didn't work."],
    ],
    [
      'advice that nobody tried',
      [
        'Help me to begin my speech.',
        'First thank the hosts, then tell of the boat.',
        'Thanks, I will try.',
      ],
    ],
  ])('no skill is made of %s', async (name, texts) => {
    expect(await skillsFrom(name.replaceAll(' ', '-'), texts)).toEqual([]);
  });
});

it('a name of a skill ends with a whole phrase', async () => {
  const [skill] = await skillsFrom('printer', [
    'How do I get the office printer to scan to the shared folder on the file server?',
    '1. Open the web page of the printer.\n2. Add the folder as a target.\n3. Save.',
    'It works now, thanks.',
  ]);
  expect(skill?.name).toBe('Get office printer to scan to shared folder');
});
