/** The caller: the one user of an open server, a user with a token, or a server with an API key. */
export type Viewer = (
  | { kind: 'local'; userId: 'local' }
  | { kind: 'user'; userId: string }
  | { kind: 'key'; keyId: string }
) & {
  /** When the credentials expire; null = never. */
  expiresAt: Date | null;
};

/** A unique name of a caller, by which limits are counted. */
export const callerOf = (viewer: Viewer): string =>
  viewer.kind === 'key' ? `key ${viewer.keyId}` : `user ${viewer.userId}`;
