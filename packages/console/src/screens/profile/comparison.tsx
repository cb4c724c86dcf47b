import { Badge, inWords } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';
import type { Version } from './profile.tsx';

const SECTIONS = [
  ['communication', 'how they communicate'],
  ['technical', 'tools and standards'],
  ['workPattern', 'how and when they work'],
  ['personalContext', 'their life'],
] as const;

/** A version of the profile; with another one, what was added to it and taken from it. */
export function Comparison({ shown, former }: { shown: Version; former: Version | undefined }) {
  const sections = SECTIONS.filter(([name]) => shown[name] || former?.[name]);
  return (
    <div className="flex flex-col gap-4">
      <p className="flex flex-wrap items-center gap-2 text-xs text-muted">
        <Badge tone="accent">version {shown.version}</Badge>
        <Time at={shown.recordedAt} />
        <span>
          by {inWords(shown.generatedBy)}, {shown.model}
        </span>
        {shown.stale && <Badge tone="warn">its sources have changed since</Badge>}
        {former && <span>compared with version {former.version}</span>}
      </p>
      {sections.map(([name, title]) => (
        <section key={name}>
          <h3 className="mb-1 text-xs font-medium text-muted">{title}</h3>
          <Difference before={former?.[name] ?? shown[name]} after={shown[name]} />
        </section>
      ))}
      {sections.length === 0 && (
        <Difference before={former?.prose ?? shown.prose} after={shown.prose} />
      )}
    </div>
  );
}

const sentencesOf = (text: string): string[] =>
  text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.trim() !== '');

/** Sentences that were added, that were taken away, and that stayed. */
function Difference({ before, after }: { before: string; after: string }) {
  const [old, now] = [sentencesOf(before), sentencesOf(after)];
  const [known, kept] = [new Set(old), new Set(now)];
  return (
    <ul className="flex flex-col gap-0.5">
      {old
        .filter((sentence) => !kept.has(sentence))
        .map((sentence) => (
          <li key={`− ${sentence}`} className="rounded-sm bg-danger-soft px-2">
            <del dir="auto" className="words">
              {sentence}
            </del>
          </li>
        ))}
      {now.map((sentence) =>
        known.has(sentence) ? (
          <li key={sentence} dir="auto" className="words px-2">
            {sentence}
          </li>
        ) : (
          <li key={sentence} className="rounded-sm bg-accent-soft px-2">
            <ins dir="auto" className="words no-underline">
              {sentence}
            </ins>
          </li>
        ),
      )}
    </ul>
  );
}
