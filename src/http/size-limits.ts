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
import { createGraphQLError, type Plugin } from 'graphql-yoga';
import type { Context } from '../context.ts';

type FragmentOf = (name: string) => FragmentDefinitionNode | null | undefined;

/** Most words and signs of an operation: enough for 500 turns written out. */
const MAX_TOKENS = 20_000;

/** What no operation needs is refused before it costs much. */
export function useSizeLimits({ config: { limits } }: Context): Plugin {
  const shallow =
    <A extends unknown[], R>(step: (...args: A) => R) =>
    (...args: A): R => {
      try {
        return step(...args);
      } catch (error) {
        // The stack ran out.
        if (!(error instanceof RangeError)) throw error;
        throw createGraphQLError('The operation is nested too deeply.', {
          extensions: { code: 'BAD_REQUEST' },
        });
      }
    };
  return {
    onParse: ({ parseFn, setParseFn }) =>
      setParseFn(
        shallow((source, options) => parseFn(source, { ...options, maxTokens: MAX_TOKENS })),
      ),
    onValidate({ validateFn, setValidationFn, addValidationRule }) {
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
  };
}

/** How many fields the chosen operation of a document runs at its top. */
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
