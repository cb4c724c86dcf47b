import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { useUserId } from '../../app/memory.tsx';
import { useGraph, usePages } from '../../app/queries.ts';
import type { FactCategory, FactListQuery, FactState } from '../../generated/graphql.ts';
import { inWords } from '../../ui/badge.tsx';
import { Chosen } from '../../ui/chosen.tsx';
import { SearchField, Select } from '../../ui/field.tsx';
import { Panel, Screen } from '../../ui/screen.tsx';
import { Empty, Loaded, More } from '../../ui/states.tsx';
import { FactList } from './fact-list.tsx';
import { FactView } from './fact-view.tsx';
import { FACT_CHANGES, FACTS, MONTHS } from './operations.ts';
import { TimeSlider } from './time-slider.tsx';

export type ListedFact = NonNullable<FactListQuery['user']>['facts']['edges'][number]['node'];

const STATES = [
  ['', 'believed true'],
  ['PAST', 'past'],
  ['RETRACTED', 'retracted'],
  ['ALL', 'all'],
] as const;

const CATEGORIES: readonly FactCategory[] = [
  'IDENTITY',
  'RELATIONSHIP',
  'PREFERENCE',
  'INTEREST',
  'GOAL',
  'CONSTRAINT',
  'INSTRUCTION',
  'EXPERIENCE',
  'PERSONALITY',
];

const MONTH = 30 * 86_400_000;
/** How far back the earliest fact is looked for: an activity has at most 1,000 months. */
const LOOK_BACK = 960 * MONTH;

/** When the first fact became true, or the first thread began: the beginning of that month. */
function useBegin(): number {
  const userId = useUserId();
  const [now] = useState(() => Date.now());
  const [from, to] = [now - LOOK_BACK, now + MONTH].map((at) => new Date(at).toISOString()) as [
    string,
    string,
  ];
  const { data } = useGraph(
    MONTHS,
    { userId, from, to },
    { renewOn: ['THREAD_OPENED', ...FACT_CHANGES] },
  );
  const first = data?.user?.activity[0]?.at;
  return first ? Math.min(Date.parse(first), now - 1) : now - MONTH;
}

/** What is believed true, as of any time and by what was known at any time. */
export function FactsScreen() {
  const userId = useUserId();
  const [{ at, known, state, search, category, fact }, change] = useAddress();
  const from = useBegin();
  const query = usePages(
    FACTS,
    {
      userId,
      at: state ? null : (at ?? null),
      knownAt: state ? null : (known ?? null),
      state: (state as FactState) || 'ACTIVE',
      search: search || null,
      category: (category as FactCategory) || null,
    },
    ({ user }) => user?.facts,
    { renewOn: FACT_CHANGES },
  );
  const facts: ListedFact[] = query.nodes;
  const isFiltered = [at, known, state, search, category].some(Boolean);
  return (
    <Screen
      title="Facts"
      about="What is believed true, at any time, by what was known at any time."
      toolbar={
        <>
          <SearchField
            label="Contains"
            value={search ?? ''}
            onSearch={(typed) => change({ search: typed || undefined }, true)}
          />
          <Select
            label="Category"
            options={[['', 'any'], ...CATEGORIES.map((name) => [name, inWords(name)] as const)]}
            value={category ?? ''}
            onChoose={(chosen) => change({ category: chosen || undefined })}
          />
          <Select
            label="State"
            options={STATES}
            value={state ?? ''}
            onChoose={(chosen) => change({ state: chosen || undefined })}
          />
        </>
      }
    >
      <Panel>
        <div className="grid gap-x-8 gap-y-2 md:grid-cols-2">
          <TimeSlider
            label="True at"
            from={from}
            value={at}
            isDisabled={Boolean(state)}
            onChange={(moved) => change({ at: moved }, true)}
          />
          <TimeSlider
            label="Known at"
            from={from}
            value={known}
            isDisabled={Boolean(state)}
            onChange={(moved) => change({ known: moved }, true)}
          />
        </div>
      </Panel>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Panel title="Facts" isFlush>
          <Loaded query={query}>
            {() =>
              facts.length === 0 ? (
                <Empty>
                  {isFiltered ? 'No fact is like this.' : 'No fact is known about this user yet.'}
                </Empty>
              ) : (
                <>
                  <FactList facts={facts} chosen={fact} onChoose={(id) => change({ fact: id })} />
                  <More query={query} />
                </>
              )
            }
          </Loaded>
        </Panel>
        <Chosen of={fact}>
          {fact ? (
            <FactView key={fact} id={fact} onReplaced={(id) => change({ fact: id })} />
          ) : (
            <Panel>
              <Empty>Choose a fact to see when it held, when it was known, and who said so.</Empty>
            </Panel>
          )}
        </Chosen>
      </div>
    </Screen>
  );
}
