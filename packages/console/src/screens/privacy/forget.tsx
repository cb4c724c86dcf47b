import { useAddress } from '../../app/address.ts';
import { useUserId } from '../../app/memory.tsx';
import { useGraph } from '../../app/queries.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/field.tsx';
import { Panel } from '../../ui/screen.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { threadName } from '../../ui/thread-name.ts';
import { Time } from '../../ui/time.tsx';
import { Words } from '../../ui/words.tsx';
import { CANDIDATES } from './operations.ts';

/** Stands for the whole memory in the address. */
export const EVERYTHING = 'everything';

type Candidate = { id: string; line: string; at: string };

/** Finds what to forget by its words. */
export function ForgetPanel({ onChoose }: { onChoose: (what: string) => void }) {
  const userId = useUserId();
  const [{ words = '' }, change] = useAddress();
  const query = useGraph(
    CANDIDATES,
    { userId, words },
    { enabled: words !== '', renewOn: ['MEMORY_FORGOTTEN'] },
  );
  return (
    <Panel
      title="Forget"
      actions={
        <Button look="danger" onClick={() => onChoose(EVERYTHING)}>
          Everything …
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <SearchField
          label="A thread or a fact with these words"
          value={words}
          onSearch={(typed) => change({ words: typed || undefined }, true)}
        />
        {words !== '' && (
          <Loaded query={query}>
            {({ user }) => (
              <>
                <Candidates
                  title="Threads"
                  onChoose={onChoose}
                  of={(user?.threads.edges ?? []).map(({ node }) => ({
                    id: node.id,
                    line: threadName(node),
                    at: node.lastActivityAt,
                  }))}
                />
                <Candidates
                  title="Facts"
                  onChoose={onChoose}
                  of={(user?.facts.edges ?? []).map(({ node }) => ({
                    id: node.id,
                    line: node.statement,
                    at: node.recordedAt,
                  }))}
                />
              </>
            )}
          </Loaded>
        )}
        <p className="text-muted">
          Nothing is erased before you have seen what would go, and said so.
        </p>
      </div>
    </Panel>
  );
}

function Candidates({
  title,
  of,
  onChoose,
}: {
  title: string;
  of: Candidate[];
  onChoose: (id: string) => void;
}) {
  return (
    <section>
      <h3 className="text-xs font-medium text-muted">{title}</h3>
      {of.length === 0 && <Empty>None has these words.</Empty>}
      <ul>
        {of.map(({ id, line, at }) => (
          <li
            key={id}
            className="flex items-center gap-3 border-b border-line py-1.5 last:border-0"
          >
            <div className="min-w-0 flex-1">
              <Words isClipped>{line}</Words>
              <div className="text-xs text-muted">
                <Time at={at} />
              </div>
            </div>
            <Button onClick={() => onChoose(id)}>See what goes</Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
