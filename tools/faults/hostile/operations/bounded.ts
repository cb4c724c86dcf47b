import { connect, type Socket } from 'node:net';
import { call, type HostileAnswer, type HostileRequest } from '../call.ts';

/** The target of a hostile operation. */
export type Target = {
  url: string;
  /** A token of the hostile user, whose memory has lists of several megabytes. */
  token: string;
  userId: string;
  tokenOf(userId: string, expires?: number): Promise<string>;
};

/** Runs an attack that must not affect other callers. @returns a line for each wrong answer */
export type HostileOperation = (target: Target) => Promise<string[]>;

/** The maximum size of an answer: MAX_ANSWER_BYTES and a small envelope. */
const MOST_BYTES = 10_500_000;
const SHOWN = 160;

/** Opens connections to a server. They may be refused. */
export function openConnections(url: string, count: number): Socket[] {
  const { hostname, port } = new URL(url);
  return Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => socket.destroy());
    return socket;
  });
}

/** A request whose answer must be bounded: no internal error, not huge, and errors with a message. */
export const bounded =
  (request: HostileRequest): HostileOperation =>
  async ({ url, token }) =>
    problemsOf(await call(url, token, request));

/** Runs an operation several times at once. */
export const atOnce =
  (count: number, operation: HostileOperation): HostileOperation =>
  async (target) => {
    const all = await Promise.all(Array.from({ length: count }, () => operation(target)));
    return [...new Set(all.flat())];
  };

/** A request that must be refused with one of these statuses. */
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
