/** What a recall can find. A turn is found word for word, the others by what they say. */
export const MEMORY_KINDS = ['TURN', 'EPISODE', 'FACT', 'SEMANTIC_MEMORY', 'SKILL'] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** What is made of turns. */
export type DerivedKind = Exclude<MemoryKind, 'TURN'>;
