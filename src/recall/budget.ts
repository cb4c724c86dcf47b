import type { Hit } from './assemble.ts';
import { factLine, hitText, toMarkdown } from './format.ts';
import type { KnownFact } from './known-facts.ts';

/** How much was there and is not given. `details`: episodes whose words were left out, but not they themselves. */
export type LeftOut = { facts: number; hits: number; details: number };

type Recalled = { facts: KnownFact[]; hits: Hit[]; asOf: Date; leftOut: LeftOut };

/** Of a budget, what known facts may take while hits wait. */
const FACTS_SHARE = 0.5;
/** "(sources: 12 conversations)": counted for every fact. */
const SOURCES = 99;

/** How many tokens a text has, by o200k_base. Loaded when first asked for: its table is large. */
export const countTokens = async (text: string): Promise<number> =>
  (await import('../domain/tokens.ts')).tokensOf(text);

/**
 * Leaves out the least useful until what is left, as markdown, has at most so many tokens: first what was said in episodes,
 * then the last hits and the least important facts.
 */
export async function fitBudget<T extends Recalled>(
  recalled: T,
  maxTokens: number | null,
): Promise<T> {
  if (maxTokens === null) return recalled;
  const { facts, hits, asOf, leftOut } = recalled;
  const sources = new Map([
    ...facts.map(({ id }) => [id, SOURCES] as const),
    ...hits.flatMap((hit) => (hit.kind === 'FACT' ? [[hit.fact.id, SOURCES] as const] : [])),
  ]);
  const factCosts = await Promise.all(
    facts.map((fact) => countTokens(`${factLine(fact, sources.get(fact.id))}\n`)),
  );
  const fits = async (some: Recalled) =>
    (await countTokens(toMarkdown(some, sources))) <= maxTokens;

  let keptFacts = countWithin(factCosts, hits.length > 0 ? maxTokens * FACTS_SHARE : maxTokens);
  const kept: Hit[] = [];
  let details = leftOut.details;
  const now = () => ({ ...recalled, facts: facts.slice(0, keptFacts), hits: kept });
  let used = await countTokens(toMarkdown(now(), sources));
  for (const hit of hits) {
    const short = hit.kind === 'EPISODE' && hit.turns.length > 0 ? { ...hit, turns: [] } : null;
    const fitting = await firstThatFits(
      [hit, short],
      (one) => hitText(one, asOf, sources),
      maxTokens - used,
    );
    if (!fitting) break;
    if (fitting.hit === short) details += 1;
    kept.push(fitting.hit);
    used += fitting.tokens;
  }
  while (kept.length > 0 && !(await fits(now()))) kept.pop();
  while (keptFacts > 0 && !(await fits(now()))) keptFacts -= 1;
  if (kept.length === hits.length)
    while (keptFacts < facts.length) {
      keptFacts += 1;
      if (await fits(now())) continue;
      keptFacts -= 1;
      break;
    }
  const left = {
    facts: leftOut.facts + facts.length - keptFacts,
    hits: leftOut.hits + hits.length - kept.length,
    details,
  };
  return { ...now(), leftOut: left };
}

function countWithin(costs: readonly number[], most: number): number {
  let sum = 0;
  const over = costs.findIndex((cost) => {
    sum += cost;
    return sum > most;
  });
  return over < 0 ? costs.length : over;
}

async function firstThatFits(
  versions: readonly (Hit | null)[],
  textOf: (hit: Hit) => string,
  room: number,
): Promise<{ hit: Hit; tokens: number } | null> {
  for (const hit of versions) {
    if (!hit) continue;
    const tokens = await countTokens(`${textOf(hit)}\n`);
    if (tokens <= room) return { hit, tokens };
  }
  return null;
}
