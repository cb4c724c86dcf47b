import { scaleBand, scaleLinear } from 'd3-scale';
import { useUserId } from '../../app/memory.tsx';
import { useGraph } from '../../app/queries.ts';
import type { UsageQuery } from '../../generated/graphql.ts';
import { Panel } from '../../ui/screen.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { useWidth } from '../../ui/width.ts';
import { USAGE } from './operations.ts';

const DAYS = 30;
const DAY = 86_400_000;
const HEIGHT = 110;

type Usage = NonNullable<UsageQuery['user']>['usage'];

/** The tokens that models were sent and that they wrote, by day and by step. */
export function UsagePanel() {
  const userId = useUserId();
  const query = useGraph(USAGE, { userId, days: DAYS }, { renewOn: 'any' });
  return (
    <Panel title="Tokens of models, last 30 days">
      <Loaded query={query}>
        {({ user }) =>
          !user || user.usage.length === 0 ? (
            <Empty>No model was asked. The built-in rules do the work here, at no cost.</Empty>
          ) : (
            <div className="flex flex-col gap-3">
              <Days usage={user.usage} />
              <Steps usage={user.usage} />
            </div>
          )
        }
      </Loaded>
    </Panel>
  );
}

const tokensOf = (one: Usage[number]) => one.promptTokens + one.completionTokens;
const sum = (usage: readonly Usage[number][], of: (one: Usage[number]) => number) =>
  usage.reduce((total, one) => total + of(one), 0);

function Days({ usage }: { usage: Usage }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const days = Array.from({ length: DAYS }, (_, back) =>
    new Date(Date.now() - (DAYS - 1 - back) * DAY).toISOString().slice(0, 10),
  );
  const on = (day: string) => usage.filter((one) => one.day === day);
  const most = Math.max(1, ...days.map((day) => sum(on(day), tokensOf)));
  const x = scaleBand(days, [0, width]).padding(0.15);
  const y = scaleLinear([0, most], [0, HEIGHT - 18]);
  const total = sum(usage, tokensOf);
  return (
    <div ref={box}>
      <svg
        width="100%"
        height={HEIGHT}
        role="img"
        aria-label={`${total.toLocaleString()} tokens in ${DAYS} days; at most ${most.toLocaleString()} on one day`}
      >
        {days.map((day) => {
          const sent = y(sum(on(day), ({ promptTokens }) => promptTokens));
          const written = y(sum(on(day), ({ completionTokens }) => completionTokens));
          return (
            <g key={day} transform={`translate(${x(day)} 0)`}>
              <title>{`${day}: ${sum(on(day), tokensOf).toLocaleString()} tokens`}</title>
              <rect
                y={HEIGHT - 18 - sent}
                width={x.bandwidth()}
                height={Math.max(1, sent)}
                className={sent ? 'fill-accent/50' : 'fill-raised'}
              />
              <rect
                y={HEIGHT - 18 - sent - written}
                width={x.bandwidth()}
                height={written}
                className="fill-accent"
              />
            </g>
          );
        })}
        <text y={HEIGHT - 3} className="fill-muted text-[11px]">
          {days[0]}
        </text>
        <text x={width} y={HEIGHT - 3} textAnchor="end" className="fill-muted text-[11px]">
          today
        </text>
      </svg>
    </div>
  );
}

function Steps({ usage }: { usage: Usage }) {
  const names = [...new Set(usage.map(({ step, model }) => JSON.stringify([step, model])))];
  const rows = names
    .map((name) => {
      const [step = '', model = ''] = JSON.parse(name) as string[];
      return { name, step, model, of: usage.filter((u) => u.step === step && u.model === model) };
    })
    .sort((a, b) => sum(b.of, tokensOf) - sum(a.of, tokensOf));
  const heads = ['calls', 'sent', 'cached', 'written'];
  return (
    <table className="w-full text-xs">
      <thead>
        <tr className="text-muted">
          <th scope="col" className="text-left font-medium">
            what for
          </th>
          {heads.map((head) => (
            <th key={head} scope="col" className="pl-3 text-right font-medium">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, step, model, of }) => (
          <tr key={name} className="border-t border-line">
            <th scope="row" className="py-1 text-left font-normal">
              {step} <span className="text-muted">{model}</span>
            </th>
            {[
              sum(of, ({ calls }) => calls),
              sum(of, ({ promptTokens }) => promptTokens),
              sum(of, ({ cachedTokens }) => cachedTokens),
              sum(of, ({ completionTokens }) => completionTokens),
            ].map((count, column) => (
              <td key={heads[column]} className="text-right tabular-nums">
                {count.toLocaleString()}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
