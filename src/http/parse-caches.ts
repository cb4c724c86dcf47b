import type { DocumentNode } from 'graphql';
import type { YogaServerOptions } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';

type Caches = Exclude<
  YogaServerOptions<object, object>['parserAndValidationCache'],
  boolean | undefined
>;

/**
 * Parsed operations, by their texts. Anybody can fill the cache, with or without credentials, so it is small; and since
 * texts may contain words of a memory, they are not kept for long.
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
