/** What the preview of a forget names, in this order. */
export const PREVIEWED = ['THREAD', 'TURN', 'EPISODE', 'FACT', 'SEMANTIC_MEMORY'] as const;
export type Previewed = (typeof PREVIEWED)[number];
