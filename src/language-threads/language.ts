import { EXTRACTIVE } from '../reasoner/extractive/name.ts';
import type { Call, Reasoner } from '../reasoner/reasoner.ts';
import { createBackground, type NoteUnreadable } from './background-rules.ts';
import type { LanguageThreads } from './language-threads.ts';
import { createRequestRules } from './request-rules.ts';
import type { Rules } from './rules.ts';
import type { Method } from './serve.ts';

/** The built-in reasoner, and the language rules that are not part of the reasoner. */
export type Language = { reasoner: Reasoner; rules: Rules };

/** Creates the built-in reasoner and the rules on threads that others may share. @param noteUnreadable see `createBackground` */
export function createLanguage(
  threads: LanguageThreads,
  noteUnreadable?: NoteUnreadable,
): Language {
  const run = createBackground(threads, noteUnreadable);
  const step = (method: Method) => (input: unknown, call: Call) =>
    run(method, input, call) as Promise<never>;
  return {
    rules: {
      name: EXTRACTIVE,
      ...createRequestRules(threads),
      theme: step('theme'),
      captureSignals: step('captureSignals'),
      newsIn: step('newsIn'),
      readOpening: step('readOpening'),
      compareTalks: step('compareTalks'),
      linkOutcome: step('linkOutcome'),
    },
    reasoner: {
      generatedBy: 'EXTRACTIVE',
      readsThreads: false,
      modelOf: () => EXTRACTIVE,
      describeSegment: step('describeSegment'),
      findBoundaries: step('findBoundaries'),
      judgeSurprise: step('judgeSurprise'),
      assessRelatedness: step('assessRelatedness'),
      extractFacts: step('extractFacts'),
      isSameFact: step('isSameFact'),
      compact: step('compact'),
      summarizeEpisodes: step('summarizeEpisodes'),
      synthesizeProfile: step('synthesizeProfile'),
      rateRetrieved: step('rateRetrieved'),
    },
  };
}
