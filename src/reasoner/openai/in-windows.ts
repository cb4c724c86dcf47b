import { tokensOf } from '../../language/text/tokens.ts';
import type { StepArguments, StepOutput } from '../reasoner.ts';
import { writeTurns } from './prompts/prompt.ts';

type Input = StepArguments<'extract-facts'>;
type Output = StepOutput<'extract-facts'>;

/** The share of a request's tokens for turns; known facts get the rest. */
const TURNS = 0.6;
/** How many turns before a window are shown as context. */
const CONTEXT = 2;

/** Extracts facts from turns. If they are too long for one request, it sends several, so that no turn is skipped. */
export async function inWindows(
  input: Input,
  tokens: number,
  extract: (window: Input) => Promise<Output>,
): Promise<Output> {
  const most = tokens * TURNS;
  const sizes = input.turns.map((turn) => tokensOf(writeTurns([turn], most)));
  if (sizes.reduce((sum, size) => sum + size, 0) <= most) return extract(input);
  const found: Output['facts'] = [];
  for (let from = input.contextTurns; from < input.turns.length; ) {
    const start = Math.max(0, from - CONTEXT);
    let used = sizes.slice(start, from).reduce((sum, size) => sum + size, 0);
    let to = from;
    do {
      used += sizes[to] ?? 0;
      to += 1;
    } while (to < input.turns.length && used + (sizes[to] ?? 0) <= most);
    const window = { ...input, turns: input.turns.slice(start, to), contextTurns: from - start };
    const { facts } = await extract(window);
    found.push(...facts.map((fact) => ({ ...fact, turn: fact.turn + start })));
    from = to;
  }
  return { facts: found };
}
