import type { DocumentNode } from 'graphql';
import type { YogaServerOptions } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';

type Caches = Exclude<
  YogaServerOptions<object, object>['parserAndValidationCache'],
  boolean | undefined
>;

/**
 * What of operations is parsed already, by their texts. Anybody can fill it, credentials or not, so that it is small; and
 * texts may hold words of a memory, which are not kept for long.
 */
const BOUNDS = {
  /** Characters. */
  maxSize: 4_000_000,
  maxEntrySize: 20_000,
  /** Milliseconds. */
  ttl: 600_000,
  sizeCalculation: (_parsed: object, text: string) => text.length,
};

export const createParseCaches = (): Caches => ({
  documentCache: new LRUCache<string, DocumentNode>(BOUNDS),
  errorCache: new LRUCache<string, object>(BOUNDS) as NonNullable<Caches['errorCache']>,
});
