import { type FormEvent, useState } from 'react';
import { ForgetLink } from '../../app/forget-link.tsx';
import { useUserId } from '../../app/memory.tsx';
import { useChange } from '../../app/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Failed } from '../../ui/states.tsx';
import type { OpenFact } from './fact-view.tsx';
import { PIN, RECORD, RESTORE, RETRACT } from './operations.ts';

type Chosen = { fact: OpenFact; onReplaced: (id: string) => void };

/** Pins, corrects, retracts and restores a fact. */
export function FactActions({ fact, onReplaced }: Chosen) {
  const userId = useUserId();
  const pin = useChange(PIN, (data) => data.pinFact);
  const retract = useChange(RETRACT, (data) => data.retractFact);
  const restore = useChange(RESTORE, (data) => data.restoreFact);
  const [isCorrecting, setCorrecting] = useState(false);
  const error = pin.error ?? retract.error ?? restore.error;
  const variables = { userId, factId: fact.id };
  return (
    <>
      {error && <Failed error={error} />}
      <ForgetLink id={fact.id} />
      <Button
        disabled={pin.isPending}
        aria-pressed={fact.pinned}
        onClick={() => pin.mutate({ ...variables, pinned: !fact.pinned })}
      >
        {fact.pinned ? 'Unpin' : 'Pin'}
      </Button>
      {fact.retractedAt ? (
        <Button disabled={restore.isPending} onClick={() => restore.mutate(variables)}>
          Restore
        </Button>
      ) : (
        <Button disabled={retract.isPending} onClick={() => retract.mutate(variables)}>
          Retract
        </Button>
      )}
      <Button onClick={() => setCorrecting(true)}>Correct</Button>
      {isCorrecting && (
        <Dialog title="Correct a fact" onClose={() => setCorrecting(false)}>
          <Correction
            fact={fact}
            onReplaced={(id) => {
              setCorrecting(false);
              onReplaced(id);
            }}
          />
        </Dialog>
      )}
    </>
  );
}

function Correction({ fact, onReplaced }: Chosen) {
  const userId = useUserId();
  const record = useChange(RECORD, (data) => data.recordFact);
  const [value, setValue] = useState(fact.value);
  const [statement, setStatement] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { category, key, polarity, scope, pinned } = fact;
    const input = { userId, category, key, polarity, scope, pinned, value };
    record.mutate(
      { input: { ...input, statement: statement.trim() || null } },
      { onSuccess: ({ id }) => onReplaced(id) },
    );
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <p className="text-muted">
        What you enter is true from now on. What was believed stays on record with its period.
        {fact.key === null && ' This fact has no key, so the correction stands beside it.'}
      </p>
      <TextField
        label="Value"
        required
        maxLength={500}
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <TextField
        label="As one sentence (the value by default)"
        value={statement}
        onChange={({ target }) => setStatement(target.value)}
      />
      {record.error && <Failed error={record.error} />}
      <div className="flex justify-end">
        <Button look="primary" type="submit" disabled={record.isPending}>
          Record
        </Button>
      </div>
    </form>
  );
}
