import { useUserId } from '../../app/memory.tsx';
import { useGraph } from '../../app/queries.ts';
import { Panel } from '../../ui/screen.tsx';
import { Loaded } from '../../ui/states.tsx';
import { GROUPS, type Group, groupOf } from './groups.ts';
import { ACTIVITY } from './operations.ts';

const MINUTE = 60_000;
const MINUTES = 60;
const HOUR = MINUTES * MINUTE;
/** All cells of a row. */
const EMPTY = Array.from({ length: MINUTES }, (_, cell) => `M${cell * 4} 0h3.4v10h-3.4z`).join('');

/**
 * Events of the last hour: one row for each group, one cell a minute.
 * @param isDue whether what matters more was read
 */
export function ActivityPanel({ isDue }: { isDue: boolean }) {
  const userId = useUserId();
  const hour = Math.floor(Date.now() / HOUR);
  const [from, to] = [hour - 1, hour + 2].map((at) => new Date(at * HOUR).toISOString()) as [
    string,
    string,
  ];
  const query = useGraph(ACTIVITY, { userId, from, to }, { renewOn: 'any', enabled: isDue });
  return (
    <Panel title="Events a minute, last hour">
      <Loaded query={query}>
        {({ user }) => {
          const now = floor(Date.now());
          const counts = new Map<Group, number[]>(
            GROUPS.map((group) => [group, Array.from({ length: MINUTES }, () => 0)]),
          );
          for (const { at, event, count } of user?.activity ?? []) {
            const cell = MINUTES - 1 - (now - floor(Date.parse(at))) / MINUTE;
            const row = event && counts.get(groupOf(event));
            if (row && row[cell] !== undefined) row[cell] += count;
          }
          return <Heat rows={[...counts]} />;
        }}
      </Loaded>
    </Panel>
  );
}

const floor = (time: number) => Math.floor(time / MINUTE) * MINUTE;

function Heat({ rows }: { rows: [Group, number[]][] }) {
  const most = Math.max(1, ...rows.flatMap(([, cells]) => cells));
  return (
    <table className="w-full text-xs">
      <caption className="sr-only">Events of the last hour by what they are about</caption>
      <tbody>
        {rows.map(([group, cells]) => {
          const total = cells.reduce((sum, count) => sum + count, 0);
          return (
            <tr key={group}>
              <th scope="row" className="w-20 py-0.5 text-left font-normal text-muted">
                {group}
              </th>
              <td>
                <svg
                  viewBox={`0 0 ${MINUTES * 4} 10`}
                  preserveAspectRatio="none"
                  className="h-3.5 w-full"
                  role="img"
                  aria-label={`${group} by minute, at most ${Math.max(...cells)} in one`}
                >
                  <path d={EMPTY} className="fill-raised" />
                  {cells.map(
                    (count, cell) =>
                      count > 0 && (
                        <rect
                          // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its minute
                          key={cell}
                          x={cell * 4}
                          width={3.4}
                          height={10}
                          className="fill-accent"
                          fillOpacity={0.3 + 0.7 * Math.sqrt(count / most)}
                        />
                      ),
                  )}
                </svg>
              </td>
              <td className="w-12 text-right tabular-nums">{total}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
