/** The role of a turn's speaker. */
export const ROLES = ['USER', 'ASSISTANT', 'TOOL', 'SYSTEM', 'OTHER'] as const;
export type Role = (typeof ROLES)[number];

/** A tool that was called while a turn was made. */
export type ToolCall = { name: string; ok: boolean; result?: string | null | undefined };
