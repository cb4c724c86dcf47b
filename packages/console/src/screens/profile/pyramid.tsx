import { useUserId } from '../../app/memory.tsx';
import { useGraph } from '../../app/queries.ts';
import { Loaded } from '../../ui/states.tsx';
import { PROFILE_CHANGES, PYRAMID } from './operations.ts';

const HEIGHT = 34;

/** How many turns stand behind how many episodes, semantic memories and the profile, and how much each level condenses. */
export function Pyramid() {
  const userId = useUserId();
  const query = useGraph(
    PYRAMID,
    { userId },
    { renewOn: [...PROFILE_CHANGES, 'TURNS_REMEMBERED'] },
  );
  return (
    <Loaded query={query}>
      {({ user }) => {
        const memories = (user?.semanticMemories.edges ?? []).map(({ node }) => node);
        const sum = (of: 'episodeCount' | 'turnCount') =>
          memories.reduce((total, memory) => total + memory[of], 0);
        const levels = [
          { name: 'profile', count: user?.profile ? 1 : 0 },
          { name: 'semantic memories', count: memories.length },
          { name: 'episodes in them', count: sum('episodeCount') },
          { name: 'turns in those', count: sum('turnCount') },
          { name: 'turns of the memory', count: user?.turnCount ?? 0 },
        ];
        return (
          <>
            <Levels levels={levels} />
            {user?.semanticMemories.pageInfo.hasNextPage && (
              <p className="text-xs text-muted">
                Only the newest 100 semantic memories are counted.
              </p>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function Levels({ levels }: { levels: readonly { name: string; count: number }[] }) {
  const most = Math.log2(1 + Math.max(1, ...levels.map(({ count }) => count)));
  return (
    <ol aria-label="From the profile down to the turns" className="flex flex-col gap-1">
      {levels.map(({ name, count }, place) => {
        const above = levels[place - 1]?.count ?? 0;
        const width = (Math.log2(1 + count) / most) * 100;
        return (
          <li key={name} className="grid grid-cols-[minmax(0,1fr)_8.5rem] items-center gap-3">
            <svg
              viewBox="0 0 100 10"
              preserveAspectRatio="none"
              aria-hidden
              style={{ height: HEIGHT }}
              className="w-full"
            >
              <rect
                x={50 - width / 2}
                width={width}
                height={10}
                className="fill-accent"
                fillOpacity={1 - place * 0.2}
              />
            </svg>
            <span className="text-xs">
              <span className="block font-medium tabular-nums">
                {name}: {count.toLocaleString()}
              </span>
              {above > 0 && count > 0 && place < levels.length - 1 && (
                <span className="text-muted tabular-nums">
                  {(count / above).toFixed(1)} for each
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
