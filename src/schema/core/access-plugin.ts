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

type WithErrors = { errors?: { types?: readonly unknown[] } };

/** Adds the error of lacking access to the answer of every mutation, since any may be refused to a key. */
class AccessErrorsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(
    config: PothosOutputFieldConfig<Types>,
  ): PothosOutputFieldConfig<Types> {
    if (config.kind !== 'Mutation') return config;
    const { errors } = config.pothosOptions as WithErrors;
    const types = [...(errors?.types ?? []), Forbidden];
    const pothosOptions = { ...config.pothosOptions, errors: { ...errors, types } };
    return { ...config, pothosOptions } as PothosOutputFieldConfig<Types>;
  }
}

SchemaBuilder.registerPlugin(ACCESS_ERRORS, AccessErrorsPlugin);
