import { inWords } from '../../ui/badge.tsx';
import type { Recalled } from './hit.ts';

const WHAT: Record<Recalled['stages'][number]['name'], string> = {
  QUESTION: 'the query is read',
  SEARCH: 'its period and vector',
  CANDIDATES: 'what may answer it',
  SCORES: 'each gets a score',
  CHOICE: 'the best, by quotas',
  TEXTS: 'what they say',
  BUDGET: 'what fits the budget',
};

/** The stages of a recall one after the other, with their times and how many candidates each looked at. */
export function Stages({ stages }: { stages: Recalled['stages'] }) {
  const total = stages.reduce((sum, { ms }) => sum + ms, 0) || 1;
  let x = 0;
  return (
    <table className="w-full text-xs">
      <caption className="sr-only">Stages of the recall</caption>
      <thead>
        <tr className="text-left text-muted">
          <th scope="col" className="font-medium">
            stage
          </th>
          <th scope="col" className="w-3/5">
            <span className="sr-only">share of the time</span>
          </th>
          <th scope="col" className="text-right font-medium">
            ms
          </th>
          <th scope="col" className="pl-3 text-right font-medium">
            candidates
          </th>
        </tr>
      </thead>
      <tbody>
        {stages.map(({ name, ms, count }) => {
          const from = (x / total) * 100;
          x += ms;
          return (
            <tr key={name} className="border-t border-line">
              <th scope="row" title={WHAT[name]} className="py-1 text-left font-normal">
                {inWords(name)}
              </th>
              <td className="px-3">
                <svg
                  viewBox="0 0 100 6"
                  preserveAspectRatio="none"
                  aria-hidden
                  className="h-1.5 w-full rounded-sm bg-raised"
                >
                  <rect
                    x={from}
                    width={Math.max(0.6, (ms / total) * 100)}
                    height={6}
                    className="fill-accent"
                  />
                </svg>
              </td>
              <td className="text-right tabular-nums">{ms.toFixed(2)}</td>
              <td className="text-right tabular-nums">{count || ''}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
