/** Whether PostgreSQL refuses data: a column does not take them (class 22), they break a constraint (23), or are too large for an index (54). */
export const isOfData = (error: unknown): boolean =>
  /^(2[23]|54)/.test(String((error as { code?: unknown }).code));
