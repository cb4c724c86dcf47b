import { MemoryError } from '@mnemograph/client';
import type { ReactNode } from 'react';
import { useGraph } from '../../app/queries.ts';
import { inWords } from '../../ui/badge.tsx';
import { Panel } from '../../ui/screen.tsx';
import { Loaded } from '../../ui/states.tsx';
import { DEPLOYMENT } from './operations.ts';

/** The whole deployment in a few figures. Who may not see it is told so. */
export function DeploymentPanel() {
  const query = useGraph(DEPLOYMENT, {}, { renewOn: 'any' });
  if (query.error instanceof MemoryError && query.error.code === 'FORBIDDEN') {
    return (
      <p className="text-muted">
        Figures of the whole deployment need an API key that acts for all.
      </p>
    );
  }
  return (
    <Panel title="Deployment">
      <Loaded query={query}>
        {({ deployment, embedding }) => {
          const { version, database, users, turns, backlog, deadJobs, reasoner } = deployment;
          const embedder = embedding?.name ?? deployment.embedder;
          return (
            <dl className="flex flex-wrap gap-x-10 gap-y-3">
              <Figure name="users" value={users.toLocaleString()} />
              <Figure name="turns" value={turns.toLocaleString()} />
              <Figure name="jobs queued" value={backlog.toLocaleString()} />
              <Figure name="dead jobs" value={deadJobs.toLocaleString()} isBad={deadJobs > 0} />
              <Figure
                name="turns to embed"
                value={embedding?.turnsPending.toLocaleString() ?? '–'}
              />
              <Figure name="version" value={version} />
              <Figure name="database" value={inWords(database)} isSmall />
              <Figure name="language work" value={reasoner.join(', ')} isSmall />
              <Figure
                name="embedder"
                value={
                  embedder
                    ? `${embedder} · ${embedding?.dimension ?? '?'} components`
                    : 'none: vectors are off'
                }
                isSmall
              />
            </dl>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function Figure({
  name,
  value,
  isBad = false,
  isSmall = false,
}: {
  name: string;
  value: ReactNode;
  isBad?: boolean;
  isSmall?: boolean;
}) {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd
        className={`words ${isSmall ? 'text-[13px] leading-7' : 'text-lg font-semibold tabular-nums'} ${isBad ? 'text-danger' : ''}`}
      >
        {value}
      </dd>
    </div>
  );
}
