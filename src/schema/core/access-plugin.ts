import SchemaBuilder, {
  BasePlugin,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import { Forbidden } from '../../domain/core/errors.ts';

/** The plugin's name in the schema builder. It must stand behind that of the errors plugin. */
export const ACCESS_ERRORS = 'accessErrors';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      accessErrors: AccessErrorsPlugin<Types>;
    }
  }
}

/** The error types in a field's options of the errors plugin. */
const typesIn = (errors: unknown): readonly unknown[] =>
  typeof errors === 'object' && errors !== null && 'types' in errors && Array.isArray(errors.types)
    ? errors.types
    : [];

/** Adds ForbiddenError to the result of every mutation, since a key may be refused any of them. */
class AccessErrorsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(
    config: PothosOutputFieldConfig<Types>,
  ): PothosOutputFieldConfig<Types> {
    if (config.kind !== 'Mutation') return config;
    const given: { errors?: unknown } = config.pothosOptions;
    const errors = Object.assign({}, given.errors, {
      types: [...typesIn(given.errors), Forbidden],
    });
    return { ...config, pothosOptions: Object.assign({}, config.pothosOptions, { errors }) };
  }
}

SchemaBuilder.registerPlugin(ACCESS_ERRORS, AccessErrorsPlugin);
