import { useNavigate, useSearch } from '@tanstack/react-router';

/** What a screen shows, as search parameters of its address: user, span, as-of time, filters, selection. */
export type Address = Readonly<Record<string, string | undefined>>;

/** Reads search parameters as they stand, without guessing types. */
export const parseSearch = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search));

/** Writes search parameters; empty ones are left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * The parameters of the address, and a function that changes some of them. `undefined` takes one away.
 * A change of what is typed replaces the entry of the browser's history; other changes add one.
 */
export function useAddress(): [Address, (changes: Address, replace?: boolean) => void] {
  const address: Address = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changes: Address, replace = false) =>
    void navigate({ to: '.', search: (before: Address) => ({ ...before, ...changes }), replace });
  return [address, change];
}

/** A function that opens the memory of another user: nothing that the address names is in it. */
export function useOpenMemory(): (user: string) => void {
  const navigate = useNavigate();
  return (user) => void navigate({ to: '.', search: { user } });
}
