import { Badge, inWords } from '../../ui/badge.tsx';
import { CHOICES } from '../../ui/chosen.tsx';
import { threadName } from '../../ui/thread-name.ts';
import { Time } from '../../ui/time.tsx';
import type { ListedLink } from './links.tsx';

/** Decisions as a list, the latest first. */
export function LinkTable({
  links,
  chosen,
  onChoose,
}: {
  links: readonly ListedLink[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}) {
  return (
    <ul className={CHOICES}>
      {links.map((link) => (
        <li key={link.id} className="border-b border-line last:border-0">
          <button
            type="button"
            aria-pressed={chosen === link.id}
            onClick={() => onChoose(link.id)}
            className="grid w-full grid-cols-[minmax(0,1fr)_max-content] gap-x-3 px-4 py-2 text-left hover:bg-raised aria-pressed:bg-accent-soft/60"
          >
            {[link.thread, link.earlierThread].map((end, place) => (
              <span key={end.id} className="contents">
                <End of={end} />
                <span className="text-right text-xs text-muted">
                  {place === 0 ? (
                    link.fusedScore.toFixed(2)
                  ) : (
                    <Time at={end.startedAt} style="day" />
                  )}
                </span>
              </span>
            ))}
            <span className="col-span-2 mt-0.5 flex flex-wrap gap-1.5 text-xs">
              <Badge tone={link.verdict === 'LINK' ? 'accent' : 'plain'}>
                {link.verdict === 'LINK' ? 'linked' : 'not linked'}
              </Badge>
              {link.certainty === 'UNCERTAIN' && <Badge tone="warn">uncertain</Badge>}
              {link.outcome !== 'UNKNOWN' && (
                <Badge tone={link.outcome === 'INCORRECT' ? 'danger' : 'plain'}>
                  {inWords(link.outcome)}
                </Badge>
              )}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A thread of a link, with the channels on which it was told. */
function End({ of: thread }: { of: ListedLink['thread'] }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span dir="auto" className="truncate">
        {threadName(thread)}
      </span>
      {thread.channels.map((channel) => (
        <Badge key={channel}>{channel}</Badge>
      ))}
    </span>
  );
}
