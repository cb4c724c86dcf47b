import type { Hit, Turn } from './assemble.ts';
import { countTokens } from './budget.ts';
import type { KnownFact } from './known-facts.ts';
import {
  exchangeLine,
  hitLine,
  profileLine,
  promptMarkdown,
  summaryLine,
  turnLine,
} from './prompt-markdown.ts';

/** A summary of what was talked about elsewhere; without a thread, of several threads together. */
export type PromptSummary = {
  threadId: number | null;
  text: string;
  at: Date | null;
  turns: number | null;
};

/** What goes into a prompt, each list in the order in which it is printed unless said otherwise. */
export type PromptMaterial = {
  message: string;
  timeZone: string;
  /** The line that takes up an earlier thread, and the pause since then. */
  continuity: { line: string | null; pause: string | null } | null;
  /** Questions of earlier threads with their answers. */
  exchanges: { question: string; answer: string | null }[];
  summaries: PromptSummary[];
  /** The most important first. */
  facts: KnownFact[];
  profile: { version: number; prose: string } | null;
  /** The best first; printed by kind and in order of time. */
  hits: Hit[];
  /** The session window. */
  window: Turn[];
  asOf: Date;
};

/** How many of each were there and are not given. */
export type PromptLeftOut = {
  exchanges: number;
  summaries: number;
  facts: number;
  profile: number;
  hits: number;
  window: number;
};

export type PromptParts = PromptMaterial & {
  markdown: string;
  tokens: number;
  leftOut: PromptLeftOut;
};

/** Of the tokens, what each may take before the hits are served; what is left goes to more of the same. */
const SHARES = {
  exchanges: 0.15,
  summaries: 0.1,
  facts: 0.15,
  window: 0.3,
  profile: 0.08,
} as const;

type List = 'exchanges' | 'summaries' | 'facts' | 'hits' | 'window';

/**
 * Chooses what fits: of each part the most useful up to its share, then hits by their rank, then more of the rest. The
 * least useful goes first.
 */
export async function fitPrompt(all: PromptMaterial, maxTokens: number): Promise<PromptParts> {
  const empty = {
    ...all,
    exchanges: [],
    summaries: [],
    facts: [],
    hits: [],
    window: [],
    profile: null,
  };
  let room = maxTokens - (await countTokens(promptMarkdown(empty)));
  const kept = { exchanges: 0, summaries: 0, facts: 0, hits: 0, window: 0 };
  const { timeZone } = all;
  // The newest questions and turns are the useful ones.
  const lines: Record<List, readonly string[]> = {
    exchanges: all.exchanges.toReversed().map(exchangeLine),
    summaries: all.summaries.map((summary) => summaryLine(summary, timeZone)),
    facts: all.facts.map(profileLine),
    hits: all.hits.map((hit) => hitLine(hit, timeZone)),
    window: all.window.toReversed().map(turnLine),
  };
  const take = async (list: List, most: number) => {
    let spent = 0;
    for (const line of lines[list].slice(kept[list])) {
      const left = Math.min(most - spent, room);
      const cost = await countTokens(`${line}\n`, left);
      if (cost > left) return;
      spent += cost;
      room -= cost;
      kept[list] += 1;
    }
  };
  for (const list of ['exchanges', 'facts', 'window', 'summaries'] as const) {
    await take(list, maxTokens * SHARES[list]);
  }
  const profileCost = all.profile ? await countTokens(`${all.profile.prose}\n`, room) : 0;
  let profile = profileCost <= Math.min(room, maxTokens * SHARES.profile) ? all.profile : null;
  room -= profile ? profileCost : 0;
  await take('hits', room);
  for (const list of ['window', 'facts', 'exchanges', 'summaries'] as const) await take(list, room);
  if (!profile && profileCost <= room) profile = all.profile;

  const chosen = () => ({
    ...all,
    exchanges: last(all.exchanges, kept.exchanges),
    summaries: all.summaries.slice(0, kept.summaries),
    facts: all.facts.slice(0, kept.facts),
    hits: all.hits.slice(0, kept.hits),
    window: last(all.window, kept.window),
    profile,
  });
  let markdown = promptMarkdown(chosen());
  let tokens = await countTokens(markdown);
  // Lines together may count a little more than one by one.
  for (const list of ['hits', 'summaries', 'window', 'facts', 'exchanges'] as const) {
    while (tokens > maxTokens && kept[list] > 0) {
      kept[list] -= 1;
      markdown = promptMarkdown(chosen());
      tokens = await countTokens(markdown);
    }
  }
  const leftOut = {
    exchanges: all.exchanges.length - kept.exchanges,
    summaries: all.summaries.length - kept.summaries,
    facts: all.facts.length - kept.facts,
    profile: all.profile && !profile ? 1 : 0,
    hits: all.hits.length - kept.hits,
    window: all.window.length - kept.window,
  };
  return { ...chosen(), markdown, tokens, leftOut };
}

const last = <T>(list: readonly T[], count: number): T[] => list.slice(list.length - count);
