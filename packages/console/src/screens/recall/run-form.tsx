import { Search } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import type { Address } from '../../app/address.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField, Select, TextField } from '../../ui/field.tsx';
import { MomentField } from '../../ui/moment-field.tsx';
import type { Run } from './run.ts';

const KINDS = [
  ['', 'all kinds'],
  ['TURN', 'turns'],
  ['EPISODE', 'episodes'],
  ['FACT', 'facts'],
  ['SEMANTIC_MEMORY', 'semantic memories'],
  ['SKILL', 'skills'],
] as const;
const FIRST = ['5', '10', '20', '40'].map((count) => [count, count] as const);
const INTENTS = [
  ['', 'by the words'],
  ['ordinary', 'an answer'],
  ['recall', 'earlier conversation'],
] as const;

/** The query and its filters. A filter runs it anew; words wait for Enter. */
export function RunForm({ run, onRun }: { run: Run; onRun: (changes: Address) => void }) {
  const [query, setQuery] = useState(run.q ?? '');
  useEffect(() => setQuery(run.q ?? ''), [run.q]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onRun({ q: query.trim() || undefined });
  };
  const text = (name: string, label: string, placeholder: string) => (
    <SearchField
      label={label}
      placeholder={placeholder}
      value={run[name] ?? ''}
      onSearch={(typed) => onRun({ [name]: typed || undefined })}
    />
  );
  const choice = (name: string, label: string, options: typeof KINDS | typeof INTENTS) => (
    <Select
      label={label}
      options={options}
      value={run[name] ?? ''}
      onChoose={(chosen) => onRun({ [name]: chosen || undefined })}
    />
  );
  const moment = (name: string, label: string) => (
    <MomentField label={label} value={run[name]} onChoose={(chosen) => onRun({ [name]: chosen })} />
  );
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="grid grid-cols-[minmax(0,1fr)_max-content] items-end gap-2">
        <TextField
          label="Query"
          hideLabel
          type="search"
          maxLength={10_000}
          placeholder="What do we know about the weekend in Porto?"
          className="h-9 w-full text-[15px]"
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
        <Button look="primary" type="submit" className="h-9">
          <Search aria-hidden className="size-4" />
          Recall
        </Button>
      </div>
      <div className="flex flex-wrap gap-x-3 gap-y-2 [&_input]:max-w-42">
        {choice('kind', 'Kind', KINDS)}
        {text('channel', 'Channel', 'any')}
        {text('speaker', 'Speaker', 'anybody')}
        {moment('at', 'As of')}
        {moment('from', 'Said from')}
        {moment('to', 'Said before')}
        {choice('intent', 'It asks for', INTENTS)}
        <Select
          label="Hits"
          options={FIRST}
          value={run.first ?? '10'}
          onChoose={(chosen) => onRun({ first: chosen })}
        />
        {text('tokens', 'Token budget', 'none')}
      </div>
    </form>
  );
}
