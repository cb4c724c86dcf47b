import type { ForgetItemKind } from '../../generated/graphql.ts';
import { Time } from '../../ui/time.tsx';
import { Words } from '../../ui/words.tsx';
import type { Forgotten } from './preview.tsx';

type Count = Exclude<keyof Forgotten, 'items' | 'isPreview' | '__typename'>;

/** What has a name of its own, and what is derived from it. */
const NAMED: readonly (readonly [ForgetItemKind, Count, string])[] = [
  ['THREAD', 'threads', 'threads'],
  ['TURN', 'turns', 'turns'],
  ['EPISODE', 'episodes', 'episodes'],
  ['FACT', 'facts', 'facts'],
  ['SEMANTIC_MEMORY', 'semanticMemories', 'semantic memories'],
];
const DERIVED: readonly (readonly [Count, string])[] = [
  ['profiles', 'versions of the profile'],
  ['links', 'links'],
  ['reviews', 'reviews'],
  ['skills', 'skills'],
  ['vectors', 'vectors'],
  ['postings', 'entries of the word index'],
];

/** What hangs on what is forgotten, with the first of each kind by name. */
export function TreeThatGoes({ root, counts }: { root: string; counts: Forgotten }) {
  return (
    <div>
      <p className="font-medium">
        <Words>{root}</Words>
      </p>
      <ul aria-label="What goes, by kind" className="ml-2 border-l border-line">
        {NAMED.filter(([, name]) => counts[name] > 0).map(([kind, name, text]) => {
          const items = counts.items.filter((item) => item.kind === kind);
          return (
            <li key={kind} className="pl-4">
              <Branch count={counts[name]} text={text} />
              <ul className="ml-2 border-l border-line">
                {items.map(({ id, line, at }) => (
                  <li key={id} className="flex justify-between gap-3 py-0.5 pl-4">
                    <Words isClipped>{line}</Words>
                    <span className="shrink-0 text-xs text-muted">
                      <Time at={at} style="day" />
                    </span>
                  </li>
                ))}
                {counts.isPreview && counts[name] > items.length && (
                  <li className="pl-4 text-muted">and {counts[name] - items.length} more</li>
                )}
              </ul>
            </li>
          );
        })}
        {DERIVED.filter(([name]) => counts[name] > 0).map(([name, text]) => (
          <li key={name} className="pl-4">
            <Branch count={counts[name]} text={text} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Branch({ count, text }: { count: number; text: string }) {
  return (
    <p className="pt-1.5">
      <span className="font-medium tabular-nums">{count}</span> {text}
    </p>
  );
}
