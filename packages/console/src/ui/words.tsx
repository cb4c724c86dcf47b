import { Badge, inWords } from './badge.tsx';
import { Time } from './time.tsx';

/** Text of a memory, as it was said: never markup, in its own direction. */
export function Words({ children, isClipped = false }: { children: string; isClipped?: boolean }) {
  return (
    <span dir="auto" className={`words ${isClipped ? 'line-clamp-2' : 'block'}`}>
      {children}
    </span>
  );
}

type Said = {
  role: string;
  speaker?: string | null | undefined;
  text: string;
  channel?: string;
  occurredAt: string;
};

/** A turn, word for word, with who said it, when and where. */
export function TurnText({ turn, isMarked = false }: { turn: Said; isMarked?: boolean }) {
  const { role, speaker, text, channel, occurredAt } = turn;
  return (
    <article className={`px-4 py-2 ${isMarked ? 'bg-accent-soft/50' : ''}`}>
      <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
        <span
          dir="auto"
          className={role === 'USER' ? 'font-semibold text-accent' : 'font-semibold'}
        >
          {speaker ?? inWords(role)}
        </span>
        <Time at={occurredAt} />
        {channel !== undefined && <Badge>{channel}</Badge>}
      </div>
      <Words>{text}</Words>
    </article>
  );
}
