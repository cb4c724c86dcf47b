import {
  Activity,
  BookOpenCheck,
  CalendarRange,
  Gauge,
  History,
  KeyRound,
  type LucideIcon,
  Search,
  ShieldCheck,
  SlidersHorizontal,
  UserRoundPen,
  Waypoints,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { idle } from '../app/idle.ts';

/** A screen: the last part of its address, its name, and how its code is loaded. */
type Screen = {
  path: string;
  title: string;
  icon: LucideIcon;
  load: () => Promise<{ default: ComponentType }>;
};

const named =
  <Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType>>) =>
  async () => ({ default: (await load())[name] });

/**
 * Loads the code of all screens whenever the page has nothing else to do, so that each opens at once, also while the server is
 * away. One that cannot be loaded now is loaded when it is opened.
 */
export async function loadAllScreens(): Promise<void> {
  for (const { load } of SCREENS) {
    await idle();
    await load().catch(() => null);
  }
}

/** The screens, in the order of the navigation. Each has a folder of its own. */
export const SCREENS: readonly Screen[] = [
  {
    path: 'live',
    title: 'Live',
    icon: Activity,
    load: named('LiveScreen', () => import('./live/live.tsx')),
  },
  {
    path: 'timeline',
    title: 'Timeline',
    icon: CalendarRange,
    load: named('TimelineScreen', () => import('./timeline/timeline.tsx')),
  },
  {
    path: 'links',
    title: 'Links',
    icon: Waypoints,
    load: named('LinksScreen', () => import('./links/links.tsx')),
  },
  {
    path: 'facts',
    title: 'Facts',
    icon: BookOpenCheck,
    load: named('FactsScreen', () => import('./facts/facts.tsx')),
  },
  {
    path: 'episodes',
    title: 'Episodes',
    icon: History,
    load: named('EpisodesScreen', () => import('./episodes/episodes.tsx')),
  },
  {
    path: 'recall',
    title: 'Recall',
    icon: Search,
    load: named('RecallScreen', () => import('./recall/recall.tsx')),
  },
  {
    path: 'profile',
    title: 'Profile',
    icon: UserRoundPen,
    load: named('ProfileScreen', () => import('./profile/profile.tsx')),
  },
  {
    path: 'linking',
    title: 'Linking',
    icon: SlidersHorizontal,
    load: named('LinkingScreen', () => import('./linking/linking.tsx')),
  },
  {
    path: 'operations',
    title: 'Operations',
    icon: Gauge,
    load: named('OperationsScreen', () => import('./operations/operations.tsx')),
  },
  {
    path: 'keys',
    title: 'Keys',
    icon: KeyRound,
    load: named('KeysScreen', () => import('./keys/keys.tsx')),
  },
  {
    path: 'privacy',
    title: 'Privacy',
    icon: ShieldCheck,
    load: named('PrivacyScreen', () => import('./privacy/privacy.tsx')),
  },
];
