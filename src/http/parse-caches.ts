import type { DocumentNode } from 'graphql';
import type { YogaServerOptions } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';

type Caches = Exclude<
  YogaServerOptions<object, object>['parserAndValidationCache'],
  boolean | undefined
>;

/**
 * The limits of the caches of parsed operations, by their texts. They are small, since callers without credentials can fill
 * them, and short-lived, since the texts may contain words of a memory.
 */
const BOUNDS = {
  /** In characters. */
  maxSize: 4_000_000,
  maxEntrySize: 20_000,
  /** In milliseconds. */
  ttl: 600_000,
  sizeCalculation: (_parsed: object, text: string) => text.length,
};

export const createParseCaches = (): Caches => ({
  documentCache: new LRUCache<string, DocumentNode>(BOUNDS),
  errorCache: new LRUCache<string, object>(BOUNDS) as NonNullable<Caches['errorCache']>,
});
