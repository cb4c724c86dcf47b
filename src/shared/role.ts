/** The role of a turn's speaker. */
export const ROLES = ['USER', 'ASSISTANT', 'TOOL', 'SYSTEM', 'OTHER'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a person or an assistant spoke, and not a tool or the system. */
export const isSpoken = ({ role }: { role: Role }): boolean => role !== 'TOOL' && role !== 'SYSTEM';

/** A tool that was called while a turn was made. */
export type ToolCall = { name: string; ok: boolean; result?: string | null | undefined };
