import { Columns2, X } from 'lucide-react';
import { useAddress } from '../../app/address.ts';
import { useUserId } from '../../app/memory.tsx';
import { SERVER_URL } from '../../app/place.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Panel, Screen } from '../../ui/screen.tsx';
import { Empty } from '../../ui/states.tsx';
import { keyOf } from './hit.ts';
import { MissPanel } from './miss.tsx';
import { PromptPanel } from './prompt.tsx';
import { asGraphQL, asTypeScript, heldOf, readHeld, runOf } from './run.ts';
import { RunForm } from './run-form.tsx';
import { RunView, useRun } from './run-view.tsx';

/** A playground for recalls: what was found, why, how long each stage took, and what would go before a model. */
export function RecallScreen() {
  const [address, change] = useAddress();
  const run = runOf(address);
  return (
    <Screen
      title="Recall"
      about="Ask the memory as an application would. It is a trial: nothing is recorded, whatever you look at."
    >
      <Panel>
        <RunForm run={run} onRun={change} />
      </Panel>
      {run.q ? (
        <Runs />
      ) : (
        <Panel>
          <Empty>
            Enter what a person might say or ask. What is found appears here, with the reasons.
          </Empty>
        </Panel>
      )}
    </Screen>
  );
}

function Runs() {
  const userId = useUserId();
  const [address, change] = useAddress();
  const run = runOf(address);
  const held = address.held === undefined ? null : readHeld(address.held);
  const actions = (
    <>
      <CopyButton label="GraphQL" text={asGraphQL(run, userId)} />
      <CopyButton label="TypeScript" text={asTypeScript(run, userId, SERVER_URL)} />
      {!held && (
        <Button onClick={() => change({ held: heldOf(run) })}>
          <Columns2 aria-hidden className="size-3.5" />
          Compare
        </Button>
      )}
    </>
  );
  const ranks = useHeldRanks(address.held);
  return (
    <>
      <div className={`grid items-start gap-4 ${held ? 'lg:grid-cols-2' : ''}`}>
        {held && (
          <RunView
            run={held}
            title="Held"
            actions={
              <Button onClick={() => change({ held: undefined })}>
                <X aria-hidden className="size-3.5" />
                Stop comparing
              </Button>
            }
          />
        )}
        <RunView
          run={run}
          title={held ? 'This run' : 'Hits'}
          actions={actions}
          before={ranks}
          isWide={!held}
        />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <PromptPanel run={run} />
        <MissPanel run={run} />
      </div>
    </>
  );
}

/** The ranks in the run that was held, to say what moved; null if none was held. */
function useHeldRanks(held: string | undefined): ReadonlyMap<string, number> | null {
  const query = useRun(readHeld(held ?? ''), held !== undefined);
  if (held === undefined || !query.data) return null;
  return new Map(query.data.hits.map((hit) => [keyOf(hit), hit.rank]));
}
