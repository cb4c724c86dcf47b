import { Link } from '@tanstack/react-router';
import { useAddress } from '../../app/address.ts';
import { useUserId } from '../../app/memory.tsx';
import { useGraph } from '../../app/queries.ts';
import { inWords } from '../../ui/badge.tsx';
import { Details, Panel } from '../../ui/screen.tsx';
import { Loaded } from '../../ui/states.tsx';
import { IN_FORCE } from './operations.ts';

const useInForce = () => useGraph(IN_FORCE, { userId: useUserId() }, { renewOn: 'any' });

/** How many turns of this memory can be found by meaning. */
export function VectorsPanel() {
  const query = useInForce();
  return (
    <Panel title="Vectors of this memory">
      <Loaded query={query}>
        {({ user }) => {
          const index = user?.vectorIndex;
          if (!index) return <p className="text-muted">Vectors are switched off.</p>;
          const { embedder, embedded, pending, skipped, total, share } = index;
          return (
            <div className="flex flex-col gap-2">
              <svg
                viewBox="0 0 100 6"
                preserveAspectRatio="none"
                role="img"
                aria-label={`${Math.round(share * 100)} % need no further embedding`}
                className="h-2 w-full rounded-sm bg-raised"
              >
                <rect width={share * 100} height={6} className="fill-accent" />
              </svg>
              <Details
                of={[
                  ['embedder', embedder ?? 'has not answered yet'],
                  ['embedded', `${embedded.toLocaleString()} of ${total.toLocaleString()} turns`],
                  ['waiting', pending.toLocaleString()],
                  ['refused', skipped.toLocaleString()],
                ]}
              />
            </div>
          );
        }}
      </Loaded>
    </Panel>
  );
}

/** The settings that are in force for this memory. */
export function SettingsPanel() {
  const [{ user: named }] = useAddress();
  const query = useInForce();
  return (
    <Panel title="Settings in force">
      <Loaded query={query}>
        {({ user }) => {
          if (!user) return <p className="text-muted">There is no such memory yet.</p>;
          const { captureSettings: capture, channelSettings: channels } = user;
          const idle = user.inactivityTimeoutMinutes;
          return (
            <Details
              of={[
                ['time zone', user.timeZone ?? 'not set'],
                ['a thread is idle after', idle == null ? 'as its channel says' : `${idle} min`],
                ...channels.map(
                  (channel) =>
                    [
                      `channel ${channel.name}`,
                      `${inWords(channel.kind)}${channel.inactivityTimeoutMinutes == null ? '' : `, idle after ${channel.inactivityTimeoutMinutes} min`}`,
                    ] as const,
                ),
                ['episodes a day', capture.everything ? 'all' : `at most ${capture.maxPerDay}`],
                ['novelty of an episode', `at least ${capture.noveltyMin}`],
                ['merged for', `${capture.mergeWindowHours} h`],
                ['apart by', `${capture.cooldownMinutes} min or ${capture.cooldownTurns} turns`],
                ['described from', `${capture.windowTurns} turns`],
                [
                  'linking',
                  <Link
                    key="linking"
                    to="/linking"
                    search={{ user: named }}
                    className="text-accent hover:underline"
                  >
                    threshold and weights
                  </Link>,
                ],
              ]}
            />
          );
        }}
      </Loaded>
    </Panel>
  );
}
