import { useAddress } from '../../app/address.ts';
import { useUserId } from '../../app/memory.tsx';
import { useAllPages, usePages } from '../../app/queries.ts';
import { SpanFields, useSpan } from '../../app/span.tsx';
import type {
  LinkCertainty,
  LinkListQuery,
  LinkOutcome,
  LinkVerdict,
} from '../../generated/graphql.ts';
import { Button } from '../../ui/button.tsx';
import { Chosen } from '../../ui/chosen.tsx';
import { Select } from '../../ui/field.tsx';
import { Panel, Screen } from '../../ui/screen.tsx';
import { Empty, Loaded, Loading, More } from '../../ui/states.tsx';
import { Arcs } from './arcs.tsx';
import { LinkTable } from './link-table.tsx';
import { LinkView } from './link-view.tsx';
import { LINK_CHANGES, LINKS } from './operations.ts';

export type ListedLink = NonNullable<LinkListQuery['user']>['links']['edges'][number]['node'];

const VERDICTS = [
  ['', 'any'],
  ['LINK', 'link'],
  ['DONT_LINK', 'no link'],
] as const;
const CERTAINTIES = [
  ['', 'any'],
  ['HIGH', 'high'],
  ['UNCERTAIN', 'uncertain'],
] as const;
const OUTCOMES = [
  ['', 'any'],
  ['UNKNOWN', 'unknown'],
  ['CORRECT', 'correct'],
  ['INCORRECT', 'incorrect'],
] as const;

/** Which threads belong together, across channels, and why. */
export function LinksScreen() {
  const userId = useUserId();
  const [{ verdict, certainty, outcome, link, thread }, change] = useAddress();
  const query = usePages(
    LINKS,
    {
      userId,
      verdict: (verdict as LinkVerdict) || null,
      certainty: (certainty as LinkCertainty) || null,
      outcome: (outcome as LinkOutcome) || null,
      ...useSpan(),
    },
    ({ user }) => user?.links,
    { renewOn: LINK_CHANGES },
  );
  useAllPages(query, Boolean(thread));
  const links: ListedLink[] = query.nodes.filter(
    (node) => !thread || node.thread.id === thread || node.earlierThread.id === thread,
  );
  return (
    <Screen
      title="Links"
      about="Which threads belong together, across channels, and what decided it."
      toolbar={
        <>
          <Select
            label="Verdict"
            options={VERDICTS}
            value={verdict ?? ''}
            onChoose={(chosen) => change({ verdict: chosen || undefined })}
          />
          <Select
            label="Certainty"
            options={CERTAINTIES}
            value={certainty ?? ''}
            onChoose={(chosen) => change({ certainty: chosen || undefined })}
          />
          <Select
            label="Outcome"
            options={OUTCOMES}
            value={outcome ?? ''}
            onChoose={(chosen) => change({ outcome: chosen || undefined })}
          />
          <SpanFields />
          {thread && <Button onClick={() => change({ thread: undefined })}>All threads</Button>}
        </>
      }
    >
      <Loaded query={query}>
        {() =>
          links.length === 0 ? (
            <Panel>
              {query.hasNextPage ? (
                <Loading />
              ) : (
                <Empty>
                  No link is like this. Threads are compared as they are told, with earlier ones.
                </Empty>
              )}
            </Panel>
          ) : (
            <>
              <Panel title="Threads from left to right; above the line: linked, below: not" isFlush>
                <Arcs
                  links={links}
                  chosen={link}
                  focus={thread}
                  onFocus={(id) => change({ thread: id === thread ? undefined : id })}
                />
              </Panel>
              <div className="grid items-start gap-4 xl:grid-cols-2">
                <Panel title="Decisions" isFlush>
                  <LinkTable links={links} chosen={link} onChoose={(id) => change({ link: id })} />
                  <More query={query} />
                </Panel>
                <Chosen of={link}>
                  {link ? (
                    <LinkView key={link} id={link} />
                  ) : (
                    <Panel>
                      <Empty>Choose a decision to see what decided it.</Empty>
                    </Panel>
                  )}
                </Chosen>
              </div>
            </>
          )
        }
      </Loaded>
    </Screen>
  );
}
