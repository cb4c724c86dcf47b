import { Link } from '@tanstack/react-router';
import { useAddress } from '../../app/address.ts';
import type { LoggedEvent } from '../../app/events.ts';
import { Badge, inWords } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';
import { groupOf } from './groups.ts';
import { jumpOf } from './jump.ts';

/** The day of later events goes without saying. */
const RECENT = 12 * 3_600_000;

/** An event in one line; opened, with all of its decision. */
export function EventRow({
  event,
  isOpen,
  onOpen,
}: {
  event: LoggedEvent;
  isOpen: boolean;
  onOpen: () => void;
}) {
  const { number, kind, at, decision } = event;
  const isBad = kind === 'JOB_DIED' || kind === 'TURN_UNREAD';
  const [{ user }] = useAddress();
  const jump = jumpOf(event, user);
  return (
    <div data-event={number}>
      <div className="grid h-[31px] grid-cols-[minmax(0,1fr)_minmax(0,6rem)] items-center gap-3 px-4 md:grid-cols-[minmax(0,1fr)_minmax(0,16rem)]">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onOpen}
          className="grid grid-cols-[max-content_minmax(0,1fr)] items-center gap-3 text-left md:grid-cols-[5.75rem_13rem_minmax(0,1fr)]"
        >
          <span className="text-muted">
            <Time at={at} style={Date.now() - Date.parse(at) < RECENT ? 'clock' : 'brief'} />
          </span>
          <span className="flex min-w-0">
            <Badge tone={isBad ? 'danger' : groupOf(kind) === 'facts' ? 'accent' : 'plain'}>
              {inWords(kind)}
            </Badge>
          </span>
          <span className="truncate max-md:hidden">{decision}</span>
        </button>
        <span className="truncate text-right">
          <Link
            to={jump.path}
            search={jump.search}
            dir="auto"
            className="text-accent hover:underline"
          >
            {jump.text}
          </Link>
        </span>
      </div>
      {isOpen && (
        <p className="words px-4 pb-2">
          <span className="mr-3 text-muted">
            <Time at={at} />
          </span>
          {decision}
        </p>
      )}
    </div>
  );
}
