import { call, type HostileAnswer, type HostileRequest } from './call.ts';

/** What a hostile operation is sent to. */
export type Target = {
  url: string;
  /** Of the hostile user, whose memory has lists of some megabytes. */
  token: string;
  userId: string;
  tokenOf(userId: string, expires?: number): Promise<string>;
};

/** Something that a caller should not be able to hurt others with. @returns what was wrong with the answers */
export type HostileOperation = (target: Target) => Promise<string[]>;

/** What an answer may have at most: MAX_ANSWER_BYTES, and a little around it. */
const MOST_BYTES = 10_500_000;
const SHOWN = 160;

/** One request whose answer must be bounded: no accident, nothing huge, an error that says something. */
export const bounded =
  (request: HostileRequest): HostileOperation =>
  async ({ url, token }) =>
    problemsOf(await call(url, token, request));

/** The same several times at once. */
export const atOnce =
  (count: number, operation: HostileOperation): HostileOperation =>
  async (target) => {
    const all = await Promise.all(Array.from({ length: count }, () => operation(target)));
    return [...new Set(all.flat())];
  };

/** A request that must be refused, by one of these statuses. */
export const refused =
  (request: HostileRequest, ...statuses: readonly number[]): HostileOperation =>
  async ({ url, token }) => {
    const answer = await call(url, token, request);
    return statuses.includes(answer.status) ? [] : [`not refused: ${shown(answer)}`];
  };

export function problemsOf(answer: HostileAnswer): string[] {
  const { status, bytes, text } = answer;
  if (bytes > MOST_BYTES) return [`an answer of ${Math.round(bytes / 1e6)} MB`];
  if (status === 0) return [`no answer: ${shown(answer)}`];
  const isBusy = status === 503 && /"retryable": ?true/.test(text);
  if (status >= 500 && !isBusy) return [`an accident: ${shown(answer)}`];
  return status >= 400 && !/"message"/.test(text) ? [`an unclear error: ${shown(answer)}`] : [];
}

const shown = ({ status, seconds, text }: HostileAnswer) =>
  `${status} in ${seconds.toFixed(1)} s, ${text.slice(0, SHOWN)}`;
