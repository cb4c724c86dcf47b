import type { CallOptions, Memory, TypedDocument } from '@mnemograph/client';

/** An operation with the types of its result and variables. */
export type Document<Data, Variables> = string & TypedDocument<Data, Variables>;

/** The fields of an expected error, for every result union. */
export const FAILURE = /* GraphQL */ `
  fragment Failure on Error {
    __typename
    code
    message
    ... on InvalidInputError { issues { path message } }
    ... on ModelUnavailableError { retryAt }
  }
`;

/** Sends an operation of the console. */
export type Request = <Data, Variables>(
  document: Document<Data, Variables>,
  variables: Variables,
  call?: CallOptions,
) => Promise<Data>;

/** The typed way to send operations with a client. */
export const requestOf = ({ request }: Memory): Request => request as Request;
