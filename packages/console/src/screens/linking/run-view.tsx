import { useUserId } from '../../app/memory.tsx';
import { useChange } from '../../app/queries.ts';
import { AskingButton } from '../../ui/asking-button.tsx';
import { plural } from '../../ui/plural.ts';
import { Panel } from '../../ui/screen.tsx';
import { Failed } from '../../ui/states.tsx';
import { ErrorRates } from './error-rates.tsx';
import type { TuningRun } from './linking.tsx';
import { ROLL_BACK } from './operations.ts';
import { SettingView } from './setting-view.tsx';

const METRICS = [
  ['accuracy', 'decisions that are right'],
  ['precision', 'links that are right'],
  ['recall', 'related pairs that are linked'],
  ['f1', 'F1'],
  ['falsePositiveRate', 'unrelated pairs that are linked'],
  ['falseNegativeRate', 'related pairs that are not linked'],
] as const;

/** A tuning run: what it changed, what that is worth, and a way back. */
export function RunView({ run }: { run: TuningRun }) {
  const userId = useUserId();
  const rollBack = useChange(ROLL_BACK, (data) => data.rollBackLinking);
  const { id, scope, kind, kept, disagreements, decisions } = run;
  const canRollBack = kind === 'TUNED' && kept;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Panel
        title={`Run ${run.number}: what it changed`}
        actions={
          canRollBack && (
            <AskingButton
              label="Roll back"
              question={
                <>
                  What was in force before run {run.number} is in force again,{' '}
                  {scope === 'DEPLOYMENT' ? 'for all users' : 'for this memory'}. Links that were
                  decided since then stay as they are.
                </>
              }
              disabled={rollBack.isPending}
              onYes={() => rollBack.mutate({ userId, scope, tuningRunId: id })}
            />
          )
        }
      >
        {rollBack.error && <Failed error={rollBack.error} />}
        <SettingView setting={run.next} former={run.previous} />
      </Panel>
      <Panel title="Error rate by threshold">
        <ErrorRates run={run} />
      </Panel>
      <Panel title={`What it is worth, by ${plural(decisions, 'rated decision')}`}>
        <Metrics run={run} />
        {disagreements.count > 0 && (
          <p className="mt-2 text-xs text-muted">
            Algorithm and reasoner differed {disagreements.count}×: the algorithm was right{' '}
            {disagreements.algorithmRight}×, the reasoner {disagreements.reasonerRight}×.
          </p>
        )}
      </Panel>
    </div>
  );
}

function Metrics({ run: { before, after } }: { run: TuningRun }) {
  const heads = ['before', 'after'];
  return (
    <table className="w-full max-w-lg text-xs">
      <thead>
        <tr className="text-muted">
          <th scope="col" className="text-left font-medium">
            share of
          </th>
          {heads.map((head) => (
            <th key={head} scope="col" className="text-right font-medium">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {METRICS.map(([name, text]) => (
          <tr key={name} className="border-t border-line">
            <th scope="row" className="py-0.5 text-left font-normal">
              {text}
            </th>
            <td className="text-right tabular-nums">{before[name].toFixed(3)}</td>
            <td className="text-right tabular-nums">{after[name].toFixed(3)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
