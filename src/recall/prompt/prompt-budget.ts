import type { KnownFact } from '../../db/facts/recalled.ts';
import type { TurnText as Turn } from '../../db/turns/turns.ts';
import { excerpt, questionIn } from '../../domain/turns/excerpt.ts';
import type { Hit } from '../assemble.ts';
import { countTokens, OWN_SHARE, TOKEN_CHARACTERS } from '../budget.ts';
import {
  dayOf,
  exchangeLine,
  hitLine,
  type PROMPT_SECTIONS,
  profileLine,
  promptMarkdown,
  promptSections,
  summaryLine,
  turnLine,
} from './prompt-markdown.ts';
import { withoutRepeats } from './without-repeats.ts';

/** The summary of another thread; without a thread id, of several linked threads together. */
export type PromptSummary = {
  threadId: number | null;
  text: string;
  at: Date | null;
  turns: number | null;
};

/** What a prompt is made from. Each list is in printing order unless stated otherwise. */
export type PromptMaterial = {
  message: string;
  timeZone: string;
  /** The line that resumes an earlier thread, and the pause since then. */
  continuity: { line: string | null; pause: string | null } | null;
  /** Questions from earlier threads with their answers. */
  exchanges: { question: string; answer: string | null }[];
  summaries: PromptSummary[];
  /** The most important first. */
  facts: KnownFact[];
  profile: { version: number; prose: string } | null;
  /** The best first; printed by kind, in order of time. */
  hits: Hit[];
  /** The session window. */
  window: Turn[];
  asOf: Date;
};

/** How many of each were available but left out. */
export type PromptLeftOut = {
  exchanges: number;
  summaries: number;
  facts: number;
  profile: number;
  hits: number;
  window: number;
};

/** A section of a prompt, and how many tokens it has. FRAME is what stands around the others. */
export type PromptSection = { name: (typeof PROMPT_SECTIONS)[number] | 'FRAME'; tokens: number };

export type PromptParts = PromptMaterial & {
  markdown: string;
  tokens: number;
  /** The sections of the markdown with their tokens, counted when asked for. */
  sections: () => Promise<PromptSection[]>;
  leftOut: PromptLeftOut;
};

/** The share of the tokens that each part may take before the other hits. What is left afterwards goes to more of them. */
const SHARES = {
  exchanges: 0.15,
  summaries: 0.1,
  facts: 0.15,
  factHits: 0.15,
  window: 0.3,
  profile: 0.08,
} as const;
/** A prompt of fewer tokens gets a profile only if everything about the message fits. */
const SHORT = 1_000;
/** The share of the tokens that the message may take where it is repeated: the model has it anyway. */
const MESSAGE_SHARE = 0.12;
/** How many of its characters are tried, for each token: in some scripts a character has up to three. */
const MESSAGE_CHARACTERS = [3, 1, 1 / 3];
/** The share of the tokens that a turn of an assistant may take. */
const REPLY_SHARE = 0.035;
/** Of these nothing is left out in between: a shorter line does not take the place of one that does not fit. */
const UNBROKEN: ReadonlySet<List> = new Set<List>(['exchanges', 'summaries', 'window']);

type List = 'exchanges' | 'summaries' | 'facts' | 'factHits' | 'hits' | 'window';

/**
 * Chooses what fits into a prompt: the most useful of each part up to its share, then hits by rank, then more of the other
 * parts. Long turns are reduced to an excerpt that suits the message.
 */
export async function fitPrompt(given: PromptMaterial, maxTokens: number): Promise<PromptParts> {
  const { timeZone } = given;
  const found = withoutRepeats(given.hits, given.summaries).map((hit) =>
    shortened(hit, given.message, maxTokens),
  );
  const message = await repeated(given.message, maxTokens * MESSAGE_SHARE);
  const all = { ...given, message, hits: found };
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
  /** The places of the chosen lines, in the order in which they were chosen. */
  const kept: Record<List, number[]> = {
    ...{ exchanges: [], summaries: [], facts: [], factHits: [], hits: [], window: [] },
  };
  const factHits = found.filter(({ kind }) => kind === 'FACT');
  const others = found.filter(({ kind }) => kind !== 'FACT');
  // The newest questions and turns are the most useful. Lines are made when needed: most turns of a long window never are.
  const lines: Record<List, readonly (() => string)[]> = {
    exchanges: all.exchanges.toReversed().map((exchange) => () => exchangeLine(exchange)),
    summaries: all.summaries.map((summary) => () => summaryLine(summary, timeZone)),
    facts: all.facts.map((fact) => () => profileLine(fact)),
    factHits: factHits.map((hit) => () => hitLine(hit, timeZone)),
    hits: withDays(others, timeZone),
    window: all.window.toReversed().map((turn) => () => turnLine(turn)),
  };
  const take = async (list: List, most: number) => {
    let spent = 0;
    const chosen = new Set(kept[list]);
    for (const [place, line] of lines[list].entries()) {
      if (chosen.has(place)) continue;
      const left = Math.min(most - spent, room);
      if (left <= 0) return;
      const cost = await countTokens(`${line()}\n`, left);
      if (cost > left) {
        if (UNBROKEN.has(list)) return;
        continue;
      }
      spent += cost;
      room -= cost;
      kept[list].push(place);
    }
  };
  for (const list of ['exchanges', 'facts', 'window', 'summaries', 'factHits'] as const) {
    await take(list, maxTokens * SHARES[list]);
  }
  const profileCost = await costOfProfile({ ...empty, profile: all.profile }, room);
  const profileShare = maxTokens < SHORT ? 0 : maxTokens * SHARES.profile;
  let profile = profileCost <= Math.min(room, profileShare) ? all.profile : null;
  room -= profile ? profileCost : 0;
  await take('hits', room);
  for (const list of ['window', 'facts', 'factHits', 'exchanges', 'summaries'] as const) {
    await take(list, room);
  }
  if (!profile && profileCost <= room) profile = all.profile;

  const chosen = () => ({
    ...all,
    exchanges: last(all.exchanges, kept.exchanges.length),
    summaries: all.summaries.slice(0, kept.summaries.length),
    facts: at(all.facts, kept.facts),
    hits: [...at(factHits, kept.factHits), ...at(others, kept.hits)],
    window: last(all.window, kept.window.length),
    profile,
  });
  let markdown = '';
  let tokens = 0;
  const write = async () => {
    markdown = promptMarkdown(chosen());
    tokens = await countTokens(markdown);
  };
  await write();
  // Joined lines may have a few more tokens than the lines counted separately.
  for (const list of ['hits', 'factHits', 'summaries', 'window', 'facts', 'exchanges'] as const) {
    while (tokens > maxTokens && kept[list].length > 0) {
      kept[list].pop();
      await write();
    }
  }
  if (profile && tokens > maxTokens) {
    profile = null;
    await write();
  }
  const leftOut = {
    exchanges: all.exchanges.length - kept.exchanges.length,
    summaries: all.summaries.length - kept.summaries.length,
    facts: all.facts.length - kept.facts.length,
    profile: all.profile && !profile ? 1 : 0,
    hits: found.length - kept.hits.length - kept.factHits.length,
    window: all.window.length - kept.window.length,
  };
  const byRank = new Map(given.hits.map((hit) => [hit.rank, hit]));
  const parts = chosen();
  const hits = parts.hits.map((hit) => byRank.get(hit.rank) ?? hit).sort((a, b) => a.rank - b.rank);
  const sections = () => countSections(parts, tokens);
  return { ...parts, hits, markdown, tokens, sections, leftOut };
}

/** The tokens of a profile with its heading, or more than `most`; 0 without one. */
async function costOfProfile(printed: PromptMaterial, most: number): Promise<number> {
  const section = promptSections(printed).find(({ name }) => name === 'PROFILE');
  return section ? countTokens(`${section.text}\n`, most) : 0;
}

/** Counts the tokens of each section. FRAME takes the rest, so that they add up to those of the whole. */
async function countSections(printed: PromptMaterial, all: number): Promise<PromptSection[]> {
  const counted: PromptSection[] = [];
  for (const { name, text } of promptSections(printed)) {
    counted.push({ name, tokens: await countTokens(`${text}\n`) });
  }
  const sum = counted.reduce((total, { tokens }) => total + tokens, 0);
  return [{ name: 'FRAME', tokens: all - sum }, ...counted];
}

/** The message as a text of at most `most` tokens: the last question in it, or its beginning. */
async function repeated(message: string, most: number): Promise<string> {
  for (const characters of MESSAGE_CHARACTERS) {
    const text = questionIn(message, Math.floor(most * characters));
    if ((await countTokens(text, most)) <= most) return text;
  }
  return '';
}

/** Reduces a long turn to an excerpt. */
function shortened(hit: Hit, message: string, maxTokens: number): Hit {
  if (hit.kind !== 'TURN') return hit;
  const { role, text } = hit.turn;
  const share = role === 'USER' || role === 'OTHER' ? OWN_SHARE : REPLY_SHARE;
  const most = Math.round(maxTokens * share * TOKEN_CHARACTERS);
  return { ...hit, turn: { ...hit.turn, text: excerpt(text, message, most) } };
}

/** The lines of hits. The first turn of each day is preceded by a line with the day. */
function withDays(hits: readonly Hit[], timeZone: string): (() => string)[] {
  const days = new Set<string>();
  return hits.map((hit) => {
    if (hit.kind !== 'TURN') return () => hitLine(hit, timeZone);
    const day = dayOf(hit.turn, timeZone);
    const isFirst = !days.has(day);
    days.add(day);
    return () => (isFirst ? `${day}:\n${hitLine(hit, timeZone)}` : hitLine(hit, timeZone));
  });
}

const at = <T>(list: readonly T[], places: readonly number[]): T[] =>
  list.filter((_, place) => places.includes(place));

const last = <T>(list: readonly T[], count: number): T[] => list.slice(list.length - count);
