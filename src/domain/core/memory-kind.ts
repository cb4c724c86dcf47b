/** The kinds of memory that recall can find. */
export const MEMORY_KINDS = ['TURN', 'EPISODE', 'FACT', 'SEMANTIC_MEMORY', 'SKILL'] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** The kinds that are derived from turns. */
export type DerivedKind = Exclude<MemoryKind, 'TURN'>;
