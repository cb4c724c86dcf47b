import type { ReactNode } from 'react';

type Tone = 'plain' | 'accent' | 'warn' | 'danger';

const TONES: Record<Tone, string> = {
  plain: 'bg-raised text-muted',
  accent: 'bg-accent-soft text-accent',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
};

/** A word or two about something, such as its state. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-block max-w-full truncate rounded px-1.5 align-middle text-[11.5px] leading-5 font-medium ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}

/** A name of the graph as people write it: CROSS_THREAD becomes "cross thread". */
export const inWords = (name: string): string => name.toLowerCase().replaceAll('_', ' ');
