/** Who asks: the one user of an open server, a user by token, or a server by API key. */
export type Viewer =
  | { kind: 'local'; userId: 'local' }
  | { kind: 'user'; userId: string }
  | { kind: 'key'; keyId: string };
