import type { AuthFailure } from '@pothos/plugin-scope-auth';
import { Forbidden } from '../../domain/core/errors.ts';
import type { Viewer } from '../../domain/core/viewer.ts';
import { keysOf } from '../../shared/keys-of.ts';

/** What a caller may do, by the name of the scope that a field asks for. */
export type Scopes = {
  /** To change memories. */
  write: boolean;
  /** To erase for good. */
  erase: boolean;
  /** To read what concerns the whole deployment. */
  operator: boolean;
  /** To read whose memories there are. */
  everyone: boolean;
  /** To manage the deployment: keys, and settings for all. */
  admin: boolean;
};

export const REFUSALS: Record<keyof Scopes, string> = {
  write: 'This API key may only read: its access is READ. Use a key with access WRITE or ALL.',
  erase: 'This API key may not erase: its access is WRITE. Use a key with access ALL.',
  operator:
    'Only an API key that acts for all users, or the local user of an open server, may read this.',
  everyone: 'Only an API key that acts for all users may read this.',
  admin:
    'Only an API key with access ALL that acts for all users, or the local user of an open server, may do this.',
};

/** What a caller may do. */
export function scopesOf({ kind, access }: Viewer): Scopes {
  const isOperator = kind !== 'user';
  return {
    write: access !== 'READ',
    erase: access === 'ALL',
    operator: isOperator,
    everyone: kind === 'key',
    admin: isOperator && access === 'ALL',
  };
}

/** @throws Forbidden for a key that may only read */
export function requireWrite(viewer: Viewer): void {
  if (!scopesOf(viewer).write) throw new Forbidden(REFUSALS.write);
}

/** The scope that a caller lacks; null if it is not known. */
export function scopeIn(failure: AuthFailure): keyof Scopes | null {
  if ('failures' in failure) {
    for (const inner of failure.failures) {
      const scope = scopeIn(inner);
      if (scope) return scope;
    }
    return null;
  }
  return keysOf(REFUSALS).find((scope) => 'scope' in failure && failure.scope === scope) ?? null;
}
