import { ruleFunctions } from '../../../src/language-threads/rule-functions.ts';
import { createExtractiveReasoner } from '../../../src/reasoner/extractive/extractive.ts';

const reasoner = createExtractiveReasoner({ embedder: null });
const said = (role: 'USER' | 'ASSISTANT', text: string) => ({
  role,
  text,
  speaker: null,
  occurredAt: new Date('2025-02-03T08:14:00Z'),
});

/** Extracts facts from a text as a turn, and as the answer to itself. Returns the processor time in milliseconds. */
async function read(text: string): Promise<number> {
  const from = process.cpuUsage();
  ruleFunctions.readTurns({ turns: [said('USER', text)], withFacts: true });
  await reasoner.extractFacts(
    { turns: [said('ASSISTANT', text), said('USER', text)] },
    { userId: 'local' },
  );
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

// The first reading compiles the rules.
await read('My name is Maya and I live in Oslo.');
process.on('message', async (text: string) => process.send?.(await read(text)));
process.send?.('ready');
