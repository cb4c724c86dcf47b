import { useState } from 'react';
import { SearchField } from '../ui/field.tsx';
import { plural } from '../ui/plural.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { USERS } from './operations.ts';
import { useGraph } from './queries.ts';

/** Whose memory to open, for an API key that acts for all. */
export function ChooseUser({ onChoose }: { onChoose: (userId: string) => void }) {
  const [search, setSearch] = useState('');
  const query = useGraph(USERS, { search: search || undefined });
  return (
    <div className="flex flex-col gap-3">
      <SearchField label="Name contains" value={search} onSearch={setSearch} />
      <Loaded query={query}>
        {({ users }) =>
          users.edges.length === 0 ? (
            <Empty>No memory has such a name.</Empty>
          ) : (
            <ul className="max-h-96 overflow-y-auto rounded-md border border-line">
              {users.edges.map(({ node }) => (
                <li key={node.id} className="border-b border-line last:border-0">
                  <button
                    type="button"
                    onClick={() => onChoose(node.userId)}
                    className="flex w-full justify-between gap-4 px-3 py-1.5 text-left hover:bg-raised"
                  >
                    <span dir="auto" className="words">
                      {node.userId}
                    </span>
                    <span className="text-muted">{plural(node.turnCount, 'turn')}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
}
