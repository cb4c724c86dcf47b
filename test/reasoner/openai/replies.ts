// What a model answers to each step.

export const description = {
  title: 'A dripping kitchen tap is mended with a new washer',
  summary: 'Maya mended a dripping tap.',
  topic: 'a dripping tap',
  approach: 'changing the washer',
  outcomes: [{ kind: 'MILESTONE', evidence: 'It worked' }],
};
export const profile = {
  communication: '',
  technical: '',
  workPattern: '',
  personalContext: '',
  prose: 'Plain.',
};
export const compaction = {
  heading: { title: 'A tap that drips at night', topic: 'a tap', approach: '' },
  micro: 'A tap was mended.',
  meso: 'A dripping tap in Porto was mended with a new washer.',
  macro: '',
  skills: [{ name: 'mend a tap', description: 'Change the washer.', evidence: [1, 2] }],
};

const reasoning = 'Both are about the tap.';
export const assessment = { related: true, confidence: 0.92, reasoning, keySignals: ['tap'] };
