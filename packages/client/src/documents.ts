import { MemoryError } from './errors.ts';

/**
 * An operation with the types of its result and variables, as GraphQL Code Generator (`documentMode: 'string'` or not) and
 * gql.tada make them.
 */
export type TypedDocument<Data, Variables> = {
  /** Never set: carries the types. */
  __apiType?: (variables: Variables) => Data;
};

/** The text of an operation with the types that a code generator has made from it. */
export const typed = <Data, Variables>(text: string) =>
  text as string & TypedDocument<Data, Variables>;

/** Turns a parsed document into its text, such as `print` of the package `graphql`. */
export type Print = (document: never) => string;

/** The text of an operation. @throws MemoryError when it is a parsed document and nothing can print it */
export function textOf(document: object | string, print: Print | undefined): string {
  if (typeof document === 'string' || document instanceof String) return String(document);
  const { loc } = document as { loc?: { source?: { body?: string } } };
  const text = loc?.source?.body ?? print?.(document as never);
  if (text !== undefined) return text;
  throw new MemoryError(
    'BAD_REQUEST',
    'This is a parsed document. Give createMemory the function `print` of the package "graphql", or generate documents as strings.',
  );
}

/** Whether a document begins with a query, which may be sent again although the answer to the first was lost. */
export const isQuery = (text: string): boolean => /^(?:[\s,]|#.*\n)*(?:query\b|\{)/.test(text);
