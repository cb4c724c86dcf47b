/** Who asks: the one user of an open server, a user by token, or a server by API key. */
export type Viewer = (
  | { kind: 'local'; userId: 'local' }
  | { kind: 'user'; userId: string }
  | { kind: 'key'; keyId: string }
) & {
  /** When the credentials end; null = not by themselves. */
  expiresAt: Date | null;
};

/** Names a caller among all: what one of them uses up is not counted for another. */
export const callerOf = (viewer: Viewer): string =>
  viewer.kind === 'key' ? `key ${viewer.keyId}` : `user ${viewer.userId}`;
