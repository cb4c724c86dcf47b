import { useState } from 'react';
import { SearchField } from '../ui/field.tsx';
import { plural } from '../ui/plural.ts';
import { Empty, Loaded, More } from '../ui/states.tsx';
import { USERS } from './operations.ts';
import { usePages } from './queries.ts';

/** Whose memory to open, for an API key that acts for all. */
export function ChooseUser({ onChoose }: { onChoose: (userId: string) => void }) {
  const [search, setSearch] = useState('');
  const query = usePages(USERS, { search: search || undefined }, ({ users }) => users);
  return (
    <div className="flex flex-col gap-3">
      <SearchField label="Name contains" value={search} onSearch={setSearch} />
      <Loaded query={query}>
        {() =>
          query.nodes.length === 0 ? (
            <Empty>No memory has such a name.</Empty>
          ) : (
            <div className="max-h-96 overflow-y-auto rounded-md border border-line">
              <ul>
                {query.nodes.map(({ id, userId, turnCount }) => (
                  <li key={id} className="border-b border-line last:border-0">
                    <button
                      type="button"
                      onClick={() => onChoose(userId)}
                      className="flex w-full justify-between gap-4 px-3 py-1.5 text-left hover:bg-raised"
                    >
                      <span dir="auto" className="words">
                        {userId}
                      </span>
                      <span className="text-muted">{plural(turnCount, 'turn')}</span>
                    </button>
                  </li>
                ))}
              </ul>
              <More query={query} />
            </div>
          )
        }
      </Loaded>
    </div>
  );
}
