import { MINUTE } from '../../shared/duration.ts';
import { trimEndOf } from '../text/trim-end.ts';

/** An earlier thread that a message may continue. */
export type EarlierThread = {
  /** What it was about, as a noun phrase; null if that is not known yet. */
  topic: string | null;
  /** Whether the user asked a question in it. */
  hasAsked: boolean;
};

/** Units with their length in minutes, the largest first. */
const UNITS = [
  ['day', 24 * 60],
  ['h', 60],
  ['min', 1],
] as const;

/**
 * A pause in words ("30 min", "5 h", "2 days"), in the largest unit of which it has at least two, else in minutes; null under
 * a minute.
 */
export function pauseBetween(from: Date, to: Date): string | null {
  const minutes = Math.floor((to.getTime() - from.getTime()) / MINUTE);
  const [unit, length] = UNITS.find(([, size]) => minutes >= 2 * size) ?? ['min', 1];
  const count = Math.floor(minutes / length);
  return count < 1 ? null : `${count} ${unit}${unit === 'day' ? 's' : ''}`;
}

/** "You were asking about the weather in New York." (requirements 13.3); null if the topic is not known. */
export function continuityOf({ topic, hasAsked }: EarlierThread): string | null {
  if (topic === null) return null;
  return `You were ${hasAsked ? 'asking about' : 'discussing'} ${trimEndOf(topic, /[.!?]/)}.`;
}
