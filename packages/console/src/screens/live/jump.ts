import type { EventKind } from '@mnemograph/client';
import type { LoggedEvent } from '../../app/events.ts';
import { inWords } from '../../ui/badge.tsx';
import { type Group, groupOf } from './groups.ts';

/** Where an event leads, and the text of the link. */
type Jump = { path: string; search: Record<string, string | undefined>; text: string };

/** The screens of events that are about no single thing, by their group. */
const SCREENS: Record<Group, string> = {
  turns: 'timeline',
  threads: 'timeline',
  episodes: 'episodes',
  facts: 'facts',
  links: 'links',
  knowledge: 'profile',
  operations: 'operations',
};
/** Kinds that have another screen than their group. */
const OTHER_SCREENS: Partial<Record<EventKind, string>> = {
  LINKING_TUNED: 'linking',
  MEMORY_EXPORTED: 'privacy',
  MEMORY_FORGOTTEN: 'privacy',
  MEMORY_IMPORTED: 'privacy',
};

/** The way from an event to what it is about. */
export function jumpOf(event: LoggedEvent, user: string | undefined): Jump {
  const { kind, thread, fact, episode, link } = event;
  if (fact) return { path: '/facts', search: { user, fact: fact.id }, text: fact.statement };
  if (link) return { path: '/links', search: { user, link: link.id }, text: inWords(link.verdict) };
  if (episode) {
    const search = { user, episode: episode.id };
    return { path: '/episodes', search, text: episode.title ?? inWords(episode.kind) };
  }
  if (thread) {
    const search = { user, thread: thread.id };
    return { path: '/timeline', search, text: thread.title ?? 'thread' };
  }
  const screen = OTHER_SCREENS[kind] ?? SCREENS[groupOf(kind)];
  return { path: `/${screen}`, search: { user }, text: screen };
}
