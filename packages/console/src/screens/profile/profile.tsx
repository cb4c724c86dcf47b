import { useAddress } from '../../app/address.ts';
import { useUserId } from '../../app/memory.tsx';
import { useChange, usePages } from '../../app/queries.ts';
import type { ProfileVersionsQuery } from '../../generated/graphql.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Panel, Screen } from '../../ui/screen.tsx';
import { Empty, Failed, Loaded, More } from '../../ui/states.tsx';
import { Comparison } from './comparison.tsx';
import { PROFILE_CHANGES, SYNTHESIZE, VERSIONS } from './operations.ts';
import { Pyramid } from './pyramid.tsx';
import { Sources } from './sources.tsx';

export type Version = NonNullable<
  ProfileVersionsQuery['user']
>['profileHistory']['edges'][number]['node'];

/** How to work with the person, version by version, and what each was written from. */
export function ProfileScreen() {
  const userId = useUserId();
  const [{ version, before }, change] = useAddress();
  const query = usePages(VERSIONS, { userId }, ({ user }) => user?.profileHistory, {
    renewOn: PROFILE_CHANGES,
  });
  const synthesize = useChange(SYNTHESIZE, (data) => data.synthesizeProfile);
  const versions: Version[] = [...query.nodes].sort((a, b) => b.version - a.version);
  const named = (number: string | undefined) =>
    versions.find((one) => String(one.version) === number);
  const shown = named(version) ?? versions[0];
  const former = before === 'none' ? undefined : (named(before) ?? next(versions, shown));
  const numbers = versions.map((one) => [String(one.version), `version ${one.version}`] as const);
  return (
    <Screen
      title="Profile"
      about="How to work with the person: written from facts and semantic memories, which stand for episodes."
      toolbar={
        shown && (
          <>
            <Select
              label="Version"
              options={numbers}
              value={String(shown.version)}
              onChoose={(chosen) => change({ version: chosen })}
            />
            <Select
              label="Compared with"
              options={[['none', 'nothing'], ...numbers]}
              value={former ? String(former.version) : 'none'}
              onChoose={(chosen) => change({ before: chosen })}
            />
          </>
        )
      }
    >
      {synthesize.error && <Failed error={synthesize.error} />}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Panel
          title="What a model is told"
          actions={
            <Button
              disabled={synthesize.isPending}
              onClick={() =>
                synthesize.mutate({ userId }, { onSuccess: () => change({ version: undefined }) })
              }
            >
              Write it anew
            </Button>
          }
        >
          <Loaded query={query}>
            {() =>
              shown ? (
                <>
                  <Comparison shown={shown} former={former} />
                  <More query={query} />
                </>
              ) : (
                <Empty>
                  There is no profile yet. One is written when enough is known about the person.
                </Empty>
              )
            }
          </Loaded>
        </Panel>
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title="From what was said to the profile">
            <Pyramid />
          </Panel>
          {shown && <Sources key={shown.id} id={shown.id} />}
        </div>
      </div>
    </Screen>
  );
}

const next = (versions: readonly Version[], shown: Version | undefined) =>
  versions.find(({ version }) => shown && version < shown.version);
