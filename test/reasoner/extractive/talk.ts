import type { SemanticSimilarity } from '../../../src/reasoner/extractive/text/semantic-similarity.ts';
import type { Utterance } from '../../../src/reasoner/reasoner.ts';

const START = Date.UTC(2025, 2, 3, 9, 0);
const MINUTE = 60_000;

/** "Maya: …", "user: …", "assistant: …" lines as turns, a minute apart, from `from` minutes on. */
export function talk(lines: readonly string[], from = 0): Utterance[] {
  return lines.map((line, index) => {
    const [, name = 'user', text = line] = /^(\w+): (.*)$/s.exec(line) ?? [];
    return {
      role:
        name === 'assistant'
          ? 'ASSISTANT'
          : name === 'tool'
            ? 'TOOL'
            : name === 'user'
              ? 'USER'
              : 'OTHER',
      speaker: /^(?:user|assistant|tool)$/.test(name) ? null : name,
      text,
      occurredAt: new Date(START + (from + index) * MINUTE),
    };
  });
}

/** Vectors without a model: a text's letter pairs, hashed. Alike texts lie near each other. */
export const letterPairs: SemanticSimilarity = {
  vectorsOf: async (texts) =>
    texts.map((text) => {
      const vector = new Float32Array(64);
      const plain = text.toLowerCase();
      for (let i = 0; i + 1 < plain.length; i++) {
        const slot = (plain.charCodeAt(i) * 31 + plain.charCodeAt(i + 1)) % 64;
        vector[slot] = (vector[slot] ?? 0) + 1;
      }
      const length = Math.hypot(...vector) || 1;
      return vector.map((value) => value / length);
    }),
  likeness: (a, b) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0),
};
