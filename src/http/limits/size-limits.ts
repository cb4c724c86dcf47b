import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';
import { createGraphQLError, type Plugin, type YogaInitialContext } from 'graphql-yoga';
import type { Context } from '../../context.ts';
import { excessOf, type Measure, MOST } from './document-size.ts';

type FragmentOf = (name: string) => FragmentDefinitionNode | null | undefined;

/** The maximum number of tokens in an operation: enough for 500 turns as literals. */
const MAX_TOKENS = 20_000;

/** How many bytes of a subscription's variables and extensions, as JSON: they stay in memory as long as it runs. */
const MAX_KEPT = 10_000;

/** Refuses operations that are larger than any client needs, before they cost much time. */
export function useSizeLimits({ config: { limits } }: Context): Plugin {
  const shallow =
    <A extends unknown[], R>(step: (...args: A) => R) =>
    (...args: A): R => {
      try {
        return step(...args);
      } catch (error) {
        // A RangeError here is a stack overflow.
        if (!(error instanceof RangeError)) throw error;
        throw createGraphQLError('The operation is nested too deeply.', {
          extensions: { code: 'BAD_REQUEST' },
        });
      }
    };
  return {
    onParse: ({ parseFn, setParseFn }) =>
      setParseFn(
        shallow((source, options) => {
          const text = typeof source === 'string' ? source : source.body;
          if (text.length > MOST.characters) throw tooMuch('characters');
          return parseFn(source, { ...options, maxTokens: MAX_TOKENS });
        }),
      ),
    onValidate({ params, validateFn, setValidationFn, addValidationRule, setResult }) {
      const measure = cachedExcess(params.documentAST);
      if (measure) return setResult([tooMuch(measure)]);
      setValidationFn(shallow(validateFn));
      addValidationRule((context: ValidationContext) => ({
        OperationDefinition(operation: OperationDefinitionNode) {
          const count = countRootFields(operation, (name) => context.getFragment(name));
          if (count <= limits.rootFields) return;
          context.reportError(
            new GraphQLError(
              `The operation asks for ${count} fields at its top, aliases included; ${limits.rootFields} are allowed. Send several operations.`,
              { nodes: operation, extensions: { code: 'TOO_MANY_ROOT_FIELDS' } },
            ),
          );
        },
      }));
    },
    onSubscribe({ args: { variableValues, contextValue }, setResultAndStopExecution }) {
      const { params } = contextValue as Partial<YogaInitialContext>;
      const kept = JSON.stringify([variableValues, params?.extensions]);
      if (Buffer.byteLength(kept) > MAX_KEPT)
        setResultAndStopExecution({ errors: [keepsTooMuch()] });
    },
  };
}

const keepsTooMuch = (): GraphQLError =>
  createGraphQLError(
    `The variables of a subscription, with its extensions, may have ${MAX_KEPT.toLocaleString('en')} bytes as JSON at most.`,
    { extensions: { code: 'VARIABLES_TOO_LARGE' } },
  );

/** The names of the limits of a document in messages. */
const NAMES: Record<Measure, string> = {
  characters: 'characters; put long texts into variables',
  definitions: 'operations and fragments',
  variables: 'variables',
  directives: 'directives',
  nameLength: 'characters in a name',
  selections: 'fields and fragments between two braces',
  aliases: 'names for one field',
  fields: 'fields, with those of a fragment each time it is used',
  pairs: 'pairs of fields under one name',
  levels: 'levels',
  introspection: 'bytes of the introspection schema, by estimate; use fewer and shorter aliases',
};

const tooMuch = (measure: Measure): GraphQLError =>
  createGraphQLError(
    measure === 'levels'
      ? 'The operation is nested too deeply.'
      : `The document is too large: more than ${MOST[measure].toLocaleString('en')} ${NAMES[measure]}. Send several operations.`,
    { extensions: { code: measure === 'levels' ? 'BAD_REQUEST' : 'DOCUMENT_TOO_LARGE' } },
  );

/** The results by document, so that a cached document is checked only once. */
const excesses = new WeakMap<DocumentNode, Measure | null>();

function cachedExcess(document: DocumentNode): Measure | null {
  const cached = excesses.get(document);
  if (cached !== undefined) return cached;
  const excess = excessOf(document);
  excesses.set(document, excess);
  return excess;
}

/** The number of root fields of the operation with this name; 1 if there is no such operation. */
export function rootFieldsOf(document: DocumentNode, name: string | null | undefined): number {
  const operation = getOperationAST(document, name);
  const fragmentOf = (wanted: string) =>
    document.definitions.find(
      (each): each is FragmentDefinitionNode =>
        each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === wanted,
    );
  return operation ? countRootFields(operation, fragmentOf) : 1;
}

function countRootFields(operation: OperationDefinitionNode, fragmentOf: FragmentOf): number {
  const seen = new Set<FragmentDefinitionNode>();
  const namesIn = ({ selections }: SelectionSetNode): string[] =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return (selection.alias ?? selection.name).value;
      if (selection.kind === Kind.INLINE_FRAGMENT) return namesIn(selection.selectionSet);
      const fragment = fragmentOf(selection.name.value);
      if (!fragment || seen.has(fragment)) return [];
      seen.add(fragment);
      return namesIn(fragment.selectionSet);
    });
  return new Set(namesIn(operation.selectionSet)).size;
}
