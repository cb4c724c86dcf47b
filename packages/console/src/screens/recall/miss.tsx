import { type FormEvent, useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { useUserId } from '../../app/memory.tsx';
import { useAnswer, useGraph } from '../../app/queries.ts';
import type { LeftOutQuery, RecallMissReason } from '../../generated/graphql.ts';
import { Badge, inWords } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/screen.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Words } from '../../ui/words.tsx';
import { LEFT_OUT, MISS, TURNS_LIKE } from './operations.ts';
import { inputOf, type Run } from './run.ts';
import { useRun } from './run-view.tsx';
import { ScoreTable } from './score-bar.tsx';

const REASONS: Record<RecallMissReason, string> = {
  BELOW: 'Its score is below those of the hits.',
  BUDGET: 'It did not fit the token budget.',
  FILTERED: 'The query finds it, but the filters leave it out.',
  KNOWN_FACT: 'It is given already, among the known facts.',
  NOT_FOUND: 'It has no word of the query, and is not among the nearest by meaning.',
  QUOTA: 'There are as many better ones of its kind as there may be.',
  REDUNDANT: 'A better hit says the same, another fact denies it, or it was forgotten meanwhile.',
  SAYS_NOTHING: 'It says nothing of its own.',
  UNRELATED: 'It is a fact without a word of the query, and not near enough to it by meaning.',
};

/** Why something that was expected is not among the hits. */
export function MissPanel({ run }: { run: Run }) {
  const [{ miss, expected }, change] = useAddress();
  const [typed, setTyped] = useState(expected ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change({ expected: typed.trim() || undefined, miss: undefined });
  };
  const choose = (id: string) => change({ miss: id });
  return (
    <Panel title="Why not this one?" isFlush>
      <form onSubmit={submit} className="flex items-end gap-2 border-b border-line px-4 py-3">
        <TextField
          label="Words of the turn that you expected"
          type="search"
          className="w-72 max-w-full"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit">Find it</Button>
      </form>
      {miss && <Verdict run={run} id={miss} />}
      {expected ? (
        <TurnsLike words={expected} chosen={miss} onChoose={choose} />
      ) : (
        <Dropped run={run} chosen={miss} onChoose={choose} />
      )}
    </Panel>
  );
}

function Verdict({ run, id }: { run: Run; id: string }) {
  const input = inputOf(run, useUserId());
  const query = useAnswer(MISS, { input, id }, (data) => data.explainMiss);
  return (
    <Loaded query={query}>
      {({ isHit, reason, stage, rank, candidates, score, lowestScore, explain }) => (
        <div
          role="status"
          className="flex flex-col gap-2 border-b border-line bg-accent-soft/40 px-4 py-3"
        >
          <p className="font-medium">
            {isHit ? 'It is among the hits.' : reason && REASONS[reason]}
          </p>
          <p className="text-xs text-muted">
            {stage && `Left out at the stage “${inWords(stage)}”. `}
            {rank != null && `Rank ${rank} of ${candidates} candidates. `}
            {score != null && `Score ${score.toFixed(3)}`}
            {score != null &&
              lowestScore != null &&
              `; the last hit has ${lowestScore.toFixed(3)}.`}
          </p>
          {explain && score != null && <ScoreTable of={explain} score={score} />}
        </div>
      )}
    </Loaded>
  );
}

type Choice = { chosen: string | undefined; onChoose: (id: string) => void };

function TurnsLike({ words, ...choice }: Choice & { words: string }) {
  const input = inputOf({ q: words, kind: 'TURN', first: '6' }, useUserId());
  const query = useAnswer(TURNS_LIKE, { input }, (data) => data.recall);
  return (
    <Loaded query={query}>
      {({ hits }) => {
        const turns = hits.flatMap((hit) => ('turn' in hit && hit.turn ? [hit.turn] : []));
        if (turns.length === 0) return <Empty>No turn has such words.</Empty>;
        return (
          <List
            {...choice}
            rows={turns.map(({ id, text, channel }) => ({ id, text, note: channel }))}
          />
        );
      }}
    </Loaded>
  );
}

const SHOWN = 12;

function Dropped({ run, ...choice }: Choice & { run: Run }) {
  const { data } = useRun(run);
  const dropped = (data?.stages ?? [])
    .flatMap(({ candidates }) => candidates)
    .flatMap(({ id, reason, kept }) => (reason && !kept ? [{ id, reason }] : []))
    .slice(0, SHOWN);
  const query = useGraph(
    LEFT_OUT,
    { ids: dropped.map(({ id }) => id) },
    { enabled: dropped.length > 0 },
  );
  if (dropped.length === 0) return <Empty>Every candidate is among the hits.</Empty>;
  return (
    <Loaded query={query}>
      {({ nodes }) => (
        <List
          {...choice}
          rows={dropped.flatMap(({ id, reason }) => {
            const text = textOf(nodes.find((node) => node?.id === id));
            return text ? [{ id, text, note: inWords(reason) }] : [];
          })}
        />
      )}
    </Loaded>
  );
}

function textOf(node: LeftOutQuery['nodes'][number] | undefined): string | null {
  if (!node) return null;
  if ('text' in node) return node.text;
  if ('statement' in node) return node.statement;
  if ('description' in node) return `${node.name}: ${node.description}`;
  return ('title' in node && node.title) || ('summary' in node && node.summary) || null;
}

type Row = { id: string; text: string; note: string };

function List({ rows, chosen, onChoose }: Choice & { rows: Row[] }) {
  return (
    <ul aria-label="Not among the hits" className="max-h-96 overflow-y-auto">
      {rows.map(({ id, text, note }) => (
        <li key={id} className="border-b border-line last:border-0">
          <button
            type="button"
            aria-pressed={chosen === id}
            onClick={() => onChoose(id)}
            className="grid w-full grid-cols-[minmax(0,1fr)_max-content] gap-3 px-4 py-1.5 text-left hover:bg-raised aria-pressed:bg-accent-soft/60"
          >
            <Words isClipped>{text}</Words>
            <span>
              <Badge>{note}</Badge>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
