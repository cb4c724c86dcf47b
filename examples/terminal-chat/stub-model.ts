import type { LanguageModel } from 'ai';

type Model = Extract<LanguageModel, { specificationVersion: 'v3' }>;

const USAGE = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** A model that needs no key: it says what memory has put into its prompt. */
export function stubModel(): Model {
  return {
    specificationVersion: 'v3',
    provider: 'stub',
    modelId: 'stub',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('This chat streams.')),
    async doStream({ prompt }) {
      const known = knownIn(prompt.map(({ content }) => content));
      const text =
        known.length > 0 ? `I remember:\n${known.join('\n')}` : 'I remember nothing yet.';
      return {
        stream: new ReadableStream({
          start(controller) {
            controller.enqueue({ type: 'stream-start', warnings: [] });
            controller.enqueue({ type: 'text-start', id: '1' });
            for (const delta of text.split(/(?<= )/)) {
              controller.enqueue({ type: 'text-delta', id: '1', delta });
            }
            controller.enqueue({ type: 'text-end', id: '1' });
            const finishReason = { unified: 'stop' as const, raw: 'stop' };
            controller.enqueue({ type: 'finish', finishReason, usage: USAGE });
            controller.close();
          },
        }),
      };
    },
  };
}

/** What stands in the fence of memory, without headings. */
function knownIn(contents: readonly unknown[]): string[] {
  const block = contents.find((content) => String(content).startsWith('<memory>'));
  const lines = String(block ?? '').split('\n');
  const within = lines.slice(2, lines.indexOf('</memory>'));
  return within.filter((line) => line !== '' && line !== 'No memories.' && !line.startsWith('#'));
}
