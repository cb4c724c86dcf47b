import { Pin } from 'lucide-react';
import { Badge, inWords } from '../../ui/badge.tsx';
import { CHOICES } from '../../ui/chosen.tsx';
import { Time } from '../../ui/time.tsx';
import type { ListedFact } from './facts.tsx';

/** Facts as a list: pinned ones first, then by importance. */
export function FactList({
  facts,
  chosen,
  onChoose,
}: {
  facts: readonly ListedFact[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}) {
  return (
    <ul className={CHOICES}>
      {facts.map((fact) => (
        <li key={fact.id} className="border-b border-line last:border-0">
          <button
            type="button"
            aria-pressed={chosen === fact.id}
            onClick={() => onChoose(fact.id)}
            className="flex w-full flex-col gap-0.5 px-4 py-2 text-left hover:bg-raised aria-pressed:bg-accent-soft/60"
          >
            <span className="flex gap-1.5">
              {fact.pinned && (
                <Pin aria-label="pinned" className="mt-0.5 size-3.5 shrink-0 text-accent" />
              )}
              <span
                dir="auto"
                className={`words ${fact.active ? '' : 'text-muted'} ${fact.retractedAt ? 'line-through' : ''}`}
              >
                {fact.statement}
              </span>
            </span>
            <span className="flex flex-wrap items-center gap-2 text-xs text-muted">
              <Badge>{inWords(fact.category)}</Badge>
              {fact.polarity === 'NEGATIVE' && <Badge tone="warn">denied</Badge>}
              <span>
                since <Time at={fact.validFrom} style="day" />
              </span>
              {fact.validTo && (
                <span>
                  until <Time at={fact.validTo} style="day" />
                </span>
              )}
              <span>said {fact.mentions}×</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
