import type { Operation } from './operations.ts';

/** Sends an operation and returns its data. @throws an Error with a `code` where the server refuses it */
export type Ask = <Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
) => Promise<Data>;

/** How the tools reach one user's memory. */
export type Access = {
  ask: Ask;
  /** The user whose memory it is; undefined where the credentials say so. */
  userId: string | undefined;
};

/** The server does not do what a tool asks for. The message tells the model what to do instead. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

type Failure = {
  __typename: string;
  code: string;
  message: string;
  issues?: readonly { path: string; message: string }[];
};
type Payload<Result> = Exclude<NonNullable<Result>, { code: string; message: string }>;

/** Returns the payload of a result union. @throws Refusal when it is an error instead */
export function payloadOf<Result>(result: Result): Payload<Result> {
  const { __typename = '', code = '', message = '', issues } = result as Partial<Failure>;
  if (!__typename.endsWith('Error')) return result as Payload<Result>;
  const details = issues?.map((issue) => `${issue.path} ${issue.message}`).join('; ');
  throw new Refusal(code, details || message);
}

/** The variables by which the fragment Zone finds a user. */
export const ownerOf = ({ userId }: Access): { owner: string; isNamed: boolean } => ({
  owner: userId ?? '',
  isNamed: userId !== undefined,
});

/** The variables of an operation that reads one user. */
export const named = ({ userId }: Access): { userId: string; isNamed: boolean } => ({
  userId: userId ?? '',
  isNamed: userId !== undefined,
});
