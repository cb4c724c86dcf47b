import type { EventKind } from './generated/graphql.ts';

export const PROFILE_URI = 'memory://profile';
export const RECENT_URI = 'memory://recent';
export const THREAD_URI = 'memory://thread/';

export const threadUri = (id: string): string => `${THREAD_URI}${encodeURIComponent(id)}`;

/** After these, everything may read differently. */
const ALL: readonly EventKind[] = ['MEMORY_FORGOTTEN', 'MEMORY_IMPORTED'];
const PROFILE: readonly EventKind[] = ['PROFILE_REVISED'];
const RECENT: readonly EventKind[] = [
  'EPISODE_CREATED',
  'EPISODE_MERGED',
  'EPISODE_REVISED',
  'THREAD_COMPACTED',
  'CROSS_THREAD_CREATED',
  'CROSS_THREAD_EXTENDED',
  'CROSS_THREAD_MERGED',
  'CROSS_THREAD_REDUCED',
  'CROSS_THREAD_SUMMARIZED',
];
const THREAD: readonly EventKind[] = ['TURNS_REMEMBERED'];
const LIST: readonly EventKind[] = ['THREAD_OPENED'];

/** The kinds of events that change what resources say, or which there are. */
export const CHANGING: readonly EventKind[] = [...ALL, ...PROFILE, ...RECENT, ...THREAD, ...LIST];

/** Something that happened in a memory. */
export type Happened = { kind: EventKind; thread?: { id: string } | null };

/** Whether other resources are listed after it. */
export const changesList = ({ kind }: Happened): boolean =>
  LIST.includes(kind) || ALL.includes(kind);

/** Which of these resources read differently after it. */
export function changedAmong(uris: Iterable<string>, { kind, thread }: Happened): string[] {
  const isAll = ALL.includes(kind);
  return [...uris].filter((uri) => {
    if (uri === PROFILE_URI) return isAll || PROFILE.includes(kind);
    if (uri === RECENT_URI) return isAll || RECENT.includes(kind);
    const isOfIt = thread != null && [threadUri(thread.id), THREAD_URI + thread.id].includes(uri);
    return uri.startsWith(THREAD_URI) && (isAll || (isOfIt && THREAD.includes(kind)));
  });
}
