/**
 * A stand-in for the part of `node-llama-cpp` that the server uses, for models written by `tiny-gguf.ts`. Tests use it if the
 * package is not installed. `scripts/test-local-models.sh` runs the same tests with the real package.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Returns the shortest reply that a schema allows. */
function shortest(schema) {
  if (schema.enum) return schema.enum[0];
  if (schema.oneOf)
    return shortest(schema.oneOf.find(({ type }) => type === 'null') ?? schema.oneOf[0]);
  if (schema.type === 'object') {
    const entries = Object.entries(schema.properties);
    return Object.fromEntries(entries.map(([name, property]) => [name, shortest(property)]));
  }
  return { array: [], string: '', boolean: false, null: null }[schema.type] ?? 0;
}

const tokenize = (text) => text.split('');

export async function getLlama() {
  return {
    createGrammarForJsonSchema: async (schema) => ({ schema }),
    async loadModel({ modelPath }) {
      const file = await readFile(modelPath);
      if (!file.includes('tokenizer.ggml.tokens')) throw new Error('Failed to load model');
      return {
        tokenize,
        createContext: async ({ contextSize }) => ({
          contextSize: contextSize.max,
          getSequence: () => ({ tokenMeter: { usedInputTokens: 0, usedOutputTokens: 0 } }),
        }),
      };
    },
  };
}

export class LlamaChatSession {
  constructor({ contextSequence }) {
    this.sequence = contextSequence;
    this.read = '';
  }

  setChatHistory(history) {
    this.history = history.map(({ text, response }) => text ?? response.join('')).join('\n');
  }

  async promptWithMeta(prompt, { grammar, signal, maxTokens }) {
    signal.throwIfAborted();
    const whole = `${this.history}\n${prompt}`;
    let same = 0;
    while (same < whole.length && whole[same] === this.read[same]) same += 1;
    this.read = whole;
    const responseText = JSON.stringify(shortest(grammar.schema)).slice(0, maxTokens);
    this.sequence.tokenMeter.usedInputTokens += whole.length - same;
    this.sequence.tokenMeter.usedOutputTokens += responseText.length;
    return { responseText, stopReason: 'stopGenerationTrigger' };
  }
}

export async function resolveModelFile(address, { directory, onProgress }) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`Status code: ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  onProgress({ totalSize: bytes.length, downloadedSize: bytes.length });
  const path = join(directory, basename(address));
  await mkdir(directory, { recursive: true });
  await writeFile(path, bytes);
  return path;
}
