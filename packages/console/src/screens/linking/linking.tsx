import { useAddress } from '../../app/address.ts';
import { useUserId } from '../../app/memory.tsx';
import { useChange, useGraph } from '../../app/queries.ts';
import type { LinkingQuery } from '../../generated/graphql.ts';
import { AskingButton } from '../../ui/asking-button.tsx';
import { Badge, inWords } from '../../ui/badge.tsx';
import { Panel, Screen } from '../../ui/screen.tsx';
import { Empty, Failed, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { LINKING, TUNE } from './operations.ts';
import { RunView } from './run-view.tsx';
import { SettingView } from './setting-view.tsx';

type User = NonNullable<LinkingQuery['user']>;
export type Setting = User['linkingSetting'];
export type TuningRun = User['tuningRuns'][number];

/** How it is decided whether threads belong together, and how ratings have tuned that. */
export function LinkingScreen() {
  const userId = useUserId();
  const [{ run: chosen }, change] = useAddress();
  const query = useGraph(LINKING, { userId }, { renewOn: ['LINKING_TUNED', 'MEMORY_IMPORTED'] });
  const tune = useChange(TUNE, (data) => data.tuneLinking);
  return (
    <Screen
      title="Linking"
      about="The threshold and the weights that decide whether threads belong together, tuned by rated links."
      toolbar={
        <AskingButton
          label="Tune now"
          question={
            <>
              The threshold and the weights are fitted to the rated links. If they decide those
              better, they are in force at once. A run can be rolled back.
            </>
          }
          disabled={tune.isPending}
          onYes={() => tune.mutate({ userId }, { onSuccess: ({ id }) => change({ run: id }) })}
        />
      }
    >
      {tune.error && <Failed error={tune.error} />}
      <Loaded query={query}>
        {({ user }) => {
          if (!user) return <Empty>There is no such memory yet.</Empty>;
          const { tuningRuns: runs, linkingSetting } = user;
          const run = runs.find(({ id }) => id === chosen) ?? runs[0];
          return (
            <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
              <div className="flex min-w-0 flex-col gap-4">
                <Panel title="In force">
                  <SettingView setting={linkingSetting} />
                </Panel>
                <Panel title="Tuning runs" isFlush>
                  {runs.length === 0 && (
                    <Empty>
                      Nothing was tuned yet. Rate links to say which decisions were right.
                    </Empty>
                  )}
                  <Runs runs={runs} chosen={run?.id} onChoose={(id) => change({ run: id })} />
                </Panel>
              </div>
              {run && <RunView key={run.id} run={run} />}
            </div>
          );
        }}
      </Loaded>
    </Screen>
  );
}

function Runs({
  runs,
  chosen,
  onChoose,
}: {
  runs: readonly TuningRun[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}) {
  return (
    <ul>
      {runs.map((run) => (
        <li key={run.id} className="border-b border-line last:border-0">
          <button
            type="button"
            aria-pressed={chosen === run.id}
            onClick={() => onChoose(run.id)}
            className="flex w-full flex-col gap-0.5 px-4 py-2 text-left hover:bg-raised aria-pressed:bg-accent-soft/60"
          >
            <span>{run.reason}</span>
            <span className="flex flex-wrap items-center gap-2 text-xs text-muted">
              <Badge>{inWords(run.kind)}</Badge>
              <Badge tone={run.kept ? 'accent' : 'plain'}>
                {run.kept ? 'adopted' : 'not adopted'}
              </Badge>
              {run.scope === 'DEPLOYMENT' && <Badge>for all users</Badge>}
              <Time at={run.at} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
