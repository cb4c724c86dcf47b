import { inWords } from '../../ui/badge.tsx';
import type { Setting } from './linking.tsx';

const PARTS = ['keyword', 'entity', 'topic', 'recency'] as const;

/** A linking setting: its threshold, its weights as bars, and what the reasoner is asked to look for. */
export function SettingView({ setting, former }: { setting: Setting; former?: Setting }) {
  const { threshold, weights, promptSignals } = setting;
  const rows = [
    ['threshold', threshold, former?.threshold] as const,
    ...PARTS.map((part) => [`weight of ${part}`, weights[part], former?.weights[part]] as const),
  ];
  return (
    <div className="flex flex-col gap-2">
      <table className="w-full text-xs">
        <caption className="sr-only">Threshold and weights</caption>
        <tbody>
          {rows.map(([name, value, before]) => (
            <tr key={name}>
              <th scope="row" className="w-32 py-0.5 text-left font-normal text-muted">
                {name}
              </th>
              <td>
                <svg
                  viewBox="0 0 100 6"
                  preserveAspectRatio="none"
                  aria-hidden
                  className="h-1.5 w-full rounded-sm bg-raised"
                >
                  <rect width={value * 100} height={6} className="fill-accent" />
                  {before !== undefined && before !== value && (
                    <line
                      x1={before * 100}
                      x2={before * 100}
                      y2={6}
                      vectorEffect="non-scaling-stroke"
                      className="stroke-ink stroke-2"
                    />
                  )}
                </svg>
              </td>
              <td className="w-24 text-right tabular-nums">
                {before !== undefined && before !== value && (
                  <span className="text-muted">{before.toFixed(3)} → </span>
                )}
                {value.toFixed(3)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-xs text-muted">
        {promptSignals.length > 0
          ? `The reasoner is asked to look for ${promptSignals.map(inWords).join(', ')}.`
          : 'The reasoner is given no hints.'}
      </p>
    </div>
  );
}
