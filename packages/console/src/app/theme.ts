import { useSyncExternalStore } from 'react';

type Theme = 'light' | 'dark';
const NAME = 'mnemograph:theme';

const watching = new Set<() => void>();
const preferred = window.matchMedia('(prefers-color-scheme: dark)');
preferred.addEventListener('change', () => show());

function themeOf(): Theme {
  const chosen = localStorage.getItem(NAME);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return preferred.matches ? 'dark' : 'light';
}

function show(): void {
  document.documentElement.dataset.theme = themeOf();
  for (const changed of watching) changed();
}

/** Shows the theme that was chosen here before, or the one that the system prefers. */
export const startTheme = show;

/** The theme, and a function that changes to the other one and remembers it. */
export function useTheme(): { theme: Theme; switchTheme: () => void } {
  const theme = useSyncExternalStore((changed) => {
    watching.add(changed);
    return () => watching.delete(changed);
  }, themeOf);
  return {
    theme,
    switchTheme: () => {
      localStorage.setItem(NAME, theme === 'dark' ? 'light' : 'dark');
      show();
    },
  };
}
