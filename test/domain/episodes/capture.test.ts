import { describe, expect, it } from 'vitest';
import { CAPTURE_KNOBS, decideCapture } from '../../../src/domain/episodes/capture.ts';
import {
  type CapturedTurn,
  type CaptureInput,
  type CaptureSignals,
  signalsOf,
} from '../../../src/domain/episodes/capture-signals.ts';
import { themeOf } from '../../../src/domain/episodes/theme.ts';

const SIGNALS: CaptureSignals = {
  outcomes: { decision: 0, nextStep: 0, milestone: 0, toolResult: 0 },
  tools: { CHANGED: 0, FAILED: 0, LOOKED_UP: 0, ROUTINE: 0 },
  recapAsked: false,
  recallIntent: 0,
  telling: 0,
  factShare: 0,
  routineShare: 0,
  worth: null,
  novelty: 1,
  surprise: 0,
  nearest: null,
  turnsSince: null,
  minutesSince: null,
  createdToday: 0,
};
const DECISION = { ...SIGNALS.outcomes, decision: 1 };
const CHANGED = { ...SIGNALS.tools, CHANGED: 1 };
const LOOKED_UP = { ...SIGNALS.tools, LOOKED_UP: 2 };
const near = (similarity: number, hoursSince = 5) => ({ id: 7, similarity, hoursSince });

describe('decideCapture', () => {
  it.each<[string, Partial<CaptureSignals>, string, string]>([
    ['a decision', { outcomes: DECISION, telling: 0.3 }, 'CREATED', 'outcome'],
    ['what a tool changed', { tools: CHANGED }, 'CREATED', 'outcome'],
    ['a story', { telling: 0.6 }, 'CREATED', 'novelty'],
    ['a story from nowhere', { telling: 0.6, surprise: 0.9 }, 'CREATED', 'surprise'],
    ['a summing up', { recapAsked: true }, 'CREATED', 'recall intent'],
    ['asking what was said', { recallIntent: 0.95 }, 'CREATED', 'recall intent'],
    ['small talk', { telling: 0.15 }, 'SKIPPED', 'low notability'],
    ['surprising small talk', { telling: 0.15, surprise: 1 }, 'SKIPPED', 'low notability'],
    ['looking up', { tools: LOOKED_UP, routineShare: 1 }, 'SKIPPED', 'routine'],
    ['a fact to be noted', { telling: 0.5, factShare: 1 }, 'SKIPPED', 'fact update'],
    ['a known story', { telling: 0.6, novelty: 0.1 }, 'SKIPPED', 'nothing new'],
    ['a story that goes on', { telling: 0.6, nearest: near(0.9) }, 'MERGED', 'same theme'],
    ['a little more of it', { telling: 0.25, nearest: near(0.9) }, 'MERGED', 'same theme'],
    ['thanks for it', { telling: 0.05, nearest: near(0.9) }, 'SKIPPED', 'low notability'],
    ['another theme', { telling: 0.6, nearest: near(0.3) }, 'CREATED', 'novelty'],
    ['too late to go on', { telling: 0.6, nearest: near(0.9, 49) }, 'CREATED', 'novelty'],
    ['too soon', { telling: 0.6, turnsSince: 2, minutesSince: 9 }, 'SKIPPED', 'cooldown'],
    [
      'soon, with turns enough',
      { telling: 0.6, turnsSince: 3, minutesSince: 1 },
      'CREATED',
      'novelty',
    ],
    [
      'few turns, but later',
      { telling: 0.6, turnsSince: 1, minutesSince: 10 },
      'CREATED',
      'novelty',
    ],
    ['the fifth of a day', { telling: 0.6, createdToday: 4 }, 'CREATED', 'novelty'],
    ['the sixth of a day', { telling: 0.6, createdToday: 5 }, 'SKIPPED', 'quota'],
    [
      'a key moment after the fifth',
      { telling: 0.6, createdToday: 5, surprise: 0.9, turnsSince: 1, minutesSince: 2 },
      'CREATED',
      'surprise',
    ],
    [
      'going on after the sixth',
      { telling: 0.6, createdToday: 5, nearest: near(0.9) },
      'MERGED',
      'same theme',
    ],
  ])('capture decides by the signals of a segment: %s', (_name, signals, status, reason) => {
    const decision = decideCapture({ ...SIGNALS, ...signals }, CAPTURE_KNOBS);
    expect([decision.status, decision.reason]).toEqual([status, reason]);
    expect(decision.mergeInto).toBe(status === 'MERGED' ? 7 : null);
    for (const score of Object.values(decision.scores)) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
  });

  it('the setting EVERYTHING creates an episode from every segment', () => {
    const knobs = { ...CAPTURE_KNOBS, everything: true };
    const decision = decideCapture({ ...SIGNALS, createdToday: 99, nearest: near(1) }, knobs);
    expect(decision).toMatchObject({ status: 'CREATED', reason: 'everything', mergeInto: null });
  });
});

const at = (hours: number) => new Date(Date.UTC(2026, 2, 2, 9) + hours * 3_600_000);

const talk = (...lines: string[]): CapturedTurn[] =>
  lines.map((line) => {
    const [speaker, ...words] = line.split(': ');
    return { role: speaker === 'A' ? 'ASSISTANT' : 'USER', text: words.join(': ') };
  });

const themeOfTalk = (turns: readonly CapturedTurn[]) =>
  themeOf({ turns, vectors: [], described: null });

function signals(turns: CapturedTurn[], given: Partial<CaptureInput> = {}): CaptureSignals {
  return signalsOf({
    turns,
    startedAt: at(0),
    endedAt: at(0.1),
    outcomes: [],
    surprise: 0,
    saidBefore: null,
    theme: themeOfTalk(turns),
    recent: [],
    last: null,
    createdToday: 0,
    mergeWindowHours: 48,
    noveltyThreshold: 0.5,
    ...given,
  });
}

const decided = (turns: CapturedTurn[], given: Partial<CaptureInput> = {}) => {
  const { status, reason } = decideCapture(signals(turns, given), CAPTURE_KNOBS);
  return `${status}, ${reason}`;
};

const BEES = talk(
  'U: A swarm of bees settled in our chimney this morning.',
  'A: Did anybody come?',
  'U: The beekeeper climbed up and carried them down in a box. He left us a jar of honey.',
);

describe('what the words of a segment say', () => {
  it.each([
    ['a story', BEES, 'CREATED, novelty'],
    ['greetings', talk('U: hi!', 'A: Hello!', 'U: how are you?', 'A: Fine.'), 'SKIPPED, routine'],
    [
      'questions',
      talk('U: how tall is a giraffe', 'A: 5 m.', 'U: and an elephant?', 'A: 3 m.', 'U: thanks'),
      'SKIPPED, routine',
    ],
    [
      'a correction',
      talk('U: my new phone number is 555 0142, we moved to Delft', 'A: I have updated it.'),
      'SKIPPED, fact update',
    ],
    [
      'a summing up',
      talk("U: Let's sum up what we agreed for the roof.", 'A: Slate, no skylight.', 'U: Right.'),
      'CREATED, recall intent',
    ],
    [
      'a story in another language',
      talk(
        'U: Ayer se rompió la tubería del baño y el agua llegó hasta la cocina',
        'A: ¿Y ahora?',
        'U: El fontanero cambió un tubo entero y cobró doscientos euros por todo',
      ),
      'CREATED, novelty',
    ],
  ])('capture decides by the turns of a segment: %s', (_name, turns, expected) => {
    expect(decided(turns)).toBe(expected);
  });

  it.each([
    ['flights.book', true, 'CREATED, outcome'],
    ['weather.forecast', true, 'SKIPPED, routine'],
    ['reports.list', true, 'SKIPPED, routine'],
    ['reports.send', true, 'CREATED, outcome'],
    ['lights.set', true, 'SKIPPED, routine'],
    ['createTicket', true, 'CREATED, outcome'],
    ['createTicket', false, 'SKIPPED, routine'],
  ])('the effect of a call of %s (ok: %s) decides about its segment', (name, ok, expected) => {
    const turns = talk('U: please do it', 'A: Done.');
    turns.push({ role: 'TOOL', text: 'result', toolCalls: [{ name, ok }] });
    expect(decided(turns)).toBe(expected);
  });
});

describe('neighbours of a segment', () => {
  const roof = talk(
    'U: The roofer found rotten beams under the slates.',
    'U: He wants 4,000 for new beams.',
  );
  const more = talk(
    'U: The roofer replaced two of the rotten beams and kept the third.',
    'U: The slates went back on before the rain came.',
  );
  const recent = [
    { id: 6, endedAt: at(-3), themes: [themeOfTalk(BEES)] },
    { id: 7, endedAt: at(-4), themes: [themeOfTalk(roof)] },
  ];

  it('a segment is merged into the most similar episode in the merge window', () => {
    const found = signals(more, { recent });
    expect(found.nearest).toMatchObject({ id: 7, hoursSince: 4 });
    expect(found.nearest?.similarity).toBeGreaterThan(0.9);
    expect(decided(more, { recent })).toBe('MERGED, same theme');
    expect(signals(more, { recent, mergeWindowHours: 3.5 }).nearest?.id).toBe(6);
  });

  it('terms of earlier episodes are not new in a segment', () => {
    expect(signals(more, { recent }).novelty).toBeGreaterThan(0.4);
    expect(decided(roof, { recent })).toBe('SKIPPED, nothing new');
  });

  it('the cooldown is measured from the end of the last episode to the end of the segment', () => {
    const last = { endedAt: new Date(at(0.1).getTime() - 5 * 60_000), turnsSince: 2 };
    expect(signals(BEES, { last }).minutesSince).toBeCloseTo(5);
    expect(decided(BEES, { last })).toBe('SKIPPED, cooldown');
  });
});
