/** What credentials permit: to read; also to write; or everything, to erase and to manage the deployment included. */
export const ACCESS = ['READ', 'WRITE', 'ALL'] as const;
export type Access = (typeof ACCESS)[number];

/** An API key, as far as its caller may know it. */
type KeyName = { id: string; name: string };

/**
 * The caller: the one user of an open server, a user with a token or a key of their own, or a server with an API key that
 * acts for all users.
 */
export type Viewer = (
  | { kind: 'local'; userId: 'local'; key: null }
  /** `key`: null with a token. */
  | { kind: 'user'; userId: string; key: KeyName | null }
  | { kind: 'key'; key: KeyName }
) & {
  access: Access;
  /** When the credentials expire; null = never. */
  expiresAt: Date | null;
};

/** A unique name of a caller, by which limits are counted. A user is one caller with all their tokens and keys. */
export const callerOf = (viewer: Viewer): string =>
  viewer.kind === 'key' ? `key ${viewer.key.id}` : `user ${viewer.userId}`;

/** Whether a recall may record impressions and accesses: a caller who may only read changes nothing. */
export const mayRecord = ({ access }: Viewer): boolean => access !== 'READ';
