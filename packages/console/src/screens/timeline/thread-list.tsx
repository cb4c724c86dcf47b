import { Badge, inWords } from '../../ui/badge.tsx';
import { CHOICES } from '../../ui/chosen.tsx';
import { plural } from '../../ui/plural.ts';
import { threadName } from '../../ui/thread-name.ts';
import { Time } from '../../ui/time.tsx';
import type { ListedThread } from './timeline.tsx';

/** The threads as a list, the latest first. */
export function ThreadList({
  threads,
  chosen,
  onChoose,
}: {
  threads: readonly ListedThread[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}) {
  return (
    <ul className={CHOICES}>
      {threads.map(({ id, title, summary, state, channels, lastActivityAt, turnCount }) => (
        <li key={id} className="border-b border-line last:border-0">
          <button
            type="button"
            aria-pressed={chosen === id}
            onClick={() => onChoose(id)}
            className="flex w-full flex-col gap-0.5 px-4 py-2 text-left hover:bg-raised aria-pressed:bg-accent-soft/60"
          >
            <span dir="auto" className="words line-clamp-1 font-medium">
              {threadName({ title, summary })}
            </span>
            <span className="flex flex-wrap items-center gap-2 text-xs text-muted">
              <Time at={lastActivityAt} />
              {plural(turnCount, 'turn')}
              {channels.map((channel) => (
                <Badge key={channel}>{channel}</Badge>
              ))}
              {state !== 'IDLE' && (
                <Badge tone={state === 'OPEN' ? 'accent' : 'plain'}>{inWords(state)}</Badge>
              )}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
