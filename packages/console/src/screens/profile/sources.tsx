import { Link } from '@tanstack/react-router';
import { useAddress } from '../../app/address.ts';
import { useGraph, usePages } from '../../app/queries.ts';
import type { OneSemanticMemoryQuery, ProfileSourcesQuery } from '../../generated/graphql.ts';
import { Badge } from '../../ui/badge.tsx';
import { plural } from '../../ui/plural.ts';
import { Panel } from '../../ui/screen.tsx';
import { Empty, Loaded, More } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Words } from '../../ui/words.tsx';
import { MEMORY, PROFILE_CHANGES, SOURCES } from './operations.ts';

type Written = Extract<ProfileSourcesQuery['node'], { sources: unknown }>;
type Memory = Written['sources'][number];
type Opened = Extract<OneSemanticMemoryQuery['node'], { episodes: unknown }>;
type Episode = Opened['episodes']['edges'][number]['node'];

/** What a version was written from: facts, and semantic memories, which open to their episodes and so to the turns. */
export function Sources({ id }: { id: string }) {
  const [{ user, memory: chosen }, change] = useAddress();
  const query = useGraph(SOURCES, { id }, { renewOn: PROFILE_CHANGES });
  return (
    <Loaded query={query}>
      {({ node }) => {
        const written = node && 'sources' in node ? node : null;
        if (!written) return null;
        return (
          <>
            <Panel title="Written from these semantic memories" isFlush>
              {written.sources.length === 0 && <Empty>From none: only facts are known yet.</Empty>}
              <ul>
                {written.sources.map((memory) => (
                  <SemanticMemory
                    key={memory.id}
                    memory={memory}
                    isChosen={chosen === memory.id}
                    onChoose={() =>
                      change({ memory: chosen === memory.id ? undefined : memory.id })
                    }
                  />
                ))}
              </ul>
            </Panel>
            <Panel title="And from these facts" isFlush>
              {written.sourceFacts.length === 0 && <Empty>From none.</Empty>}
              <ul className="max-h-96 overflow-y-auto">
                {written.sourceFacts.map((fact) => (
                  <li key={fact.id} className="border-b border-line px-4 py-1.5 last:border-0">
                    <Link
                      to="/facts"
                      search={{ user, fact: fact.id }}
                      className={`hover:underline ${fact.active ? '' : 'text-muted line-through'}`}
                    >
                      <Words>{fact.statement}</Words>
                    </Link>
                  </li>
                ))}
              </ul>
            </Panel>
          </>
        );
      }}
    </Loaded>
  );
}

function SemanticMemory({
  memory: { id, summary, startedAt, endedAt, episodeCount, turnCount, stale },
  isChosen,
  onChoose,
}: {
  memory: Memory;
  isChosen: boolean;
  onChoose: () => void;
}) {
  return (
    <li className="border-b border-line last:border-0">
      <button
        type="button"
        aria-expanded={isChosen}
        onClick={onChoose}
        className="flex w-full flex-col gap-0.5 px-4 py-2 text-left hover:bg-raised aria-expanded:bg-accent-soft/60"
      >
        <Words isClipped={!isChosen}>{summary ?? 'It is being rewritten.'}</Words>
        <span className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
          <Time at={startedAt} style="day" /> – <Time at={endedAt} style="day" />
          <span>
            {plural(episodeCount, 'episode')}, {plural(turnCount, 'turn')}
          </span>
          {stale && <Badge tone="warn">stale</Badge>}
        </span>
      </button>
      {isChosen && <Episodes id={id} />}
    </li>
  );
}

function Episodes({ id }: { id: string }) {
  const [{ user }] = useAddress();
  const query = usePages(
    MEMORY,
    { id },
    ({ node }) => (node && 'episodes' in node ? node.episodes : null),
    { renewOn: PROFILE_CHANGES },
  );
  const episodes: Episode[] = query.nodes;
  return (
    <Loaded query={query}>
      {() => (
        <ul aria-label="Its episodes" className="border-t border-line py-1">
          {episodes.map((episode) => (
            <li key={episode.id} className="flex gap-3 py-0.5 pr-4 pl-8">
              <span className="text-xs leading-5 text-muted">
                <Time at={episode.startedAt} style="day" />
              </span>
              <Link
                to="/episodes"
                search={{ user, episode: episode.id }}
                className="min-w-0 text-accent hover:underline"
              >
                <Words>{episode.title ?? episode.summary ?? 'an episode without a title'}</Words>
              </Link>
            </li>
          ))}
          <More query={query} />
        </ul>
      )}
    </Loaded>
  );
}
