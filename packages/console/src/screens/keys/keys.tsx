import { MemoryError } from '@mnemograph/client';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useGraph } from '../../app/queries.ts';
import type { KeyListQuery } from '../../generated/graphql.ts';
import { Badge, inWords } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel, Screen } from '../../ui/screen.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { type Change, hasNewSecret, KeyDialog } from './key-dialog.tsx';
import { KEYS } from './operations.ts';

export type Key = KeyListQuery['apiKeys'][number];

/** The API keys of this deployment. */
export function KeysScreen() {
  const query = useGraph(KEYS, {});
  const [changing, setChanging] = useState<Change | null>(
    hasNewSecret() ? { what: 'create' } : null,
  );
  const isRefused = query.error instanceof MemoryError && query.error.code === 'FORBIDDEN';
  return (
    <Screen
      title="Keys"
      about="API keys let applications in. Only a hash of each is stored."
      toolbar={
        !isRefused && (
          <Button look="primary" onClick={() => setChanging({ what: 'create' })}>
            <Plus aria-hidden className="size-4" />
            New key
          </Button>
        )
      }
    >
      <Panel isFlush>
        {isRefused ? (
          <Empty>Keys are managed with an API key that has full access and acts for all.</Empty>
        ) : (
          <Loaded query={query}>
            {({ apiKeys }) =>
              apiKeys.length === 0 ? (
                <Empty>
                  There is no key yet. Make one for each application that uses this server.
                </Empty>
              ) : (
                <KeyTable keys={apiKeys} onChange={setChanging} />
              )
            }
          </Loaded>
        )}
      </Panel>
      {changing && <KeyDialog change={changing} onClose={() => setChanging(null)} />}
    </Screen>
  );
}

const HEADS = ['name', 'for', 'access', 'made', 'last used', 'state'];

function KeyTable({
  keys,
  onChange,
}: {
  keys: readonly Key[];
  onChange: (change: Change) => void;
}) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full">
        <thead>
          <tr className="border-b border-line text-left text-xs text-muted">
            {HEADS.map((head) => (
              <th key={head} scope="col" className="px-4 py-1.5 font-medium">
                {head}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} of={key} onChange={onChange} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function KeyRow({ of: key, onChange }: { of: Key; onChange: (change: Change) => void }) {
  const { name, userId, access, createdAt, revokedAt, previousUntil, lastUsedAt } = key;
  const isRotating = previousUntil != null && Date.parse(previousUntil) > Date.now();
  return (
    <tr className="border-b border-line last:border-0">
      <th scope="row" className="px-4 py-2 text-left font-medium">
        <span dir="auto" className={`words ${revokedAt ? 'text-muted line-through' : ''}`}>
          {name}
        </span>
      </th>
      <td className="px-4" dir="auto">
        {userId ?? 'all users'}
      </td>
      <td className="px-4">
        <Badge tone={access === 'ALL' ? 'accent' : 'plain'}>{inWords(access)}</Badge>
      </td>
      <td className="px-4">
        <Time at={createdAt} style="day" />
      </td>
      <td className="px-4">
        {lastUsedAt ? <Time at={lastUsedAt} /> : <span className="text-muted">never</span>}
      </td>
      <td className="px-4 text-xs text-muted">
        {revokedAt && (
          <>
            revoked <Time at={revokedAt} />
          </>
        )}
        {!revokedAt && !isRotating && 'valid'}
        {!revokedAt && isRotating && (
          <>
            the former secret works until <Time at={previousUntil} />
          </>
        )}
      </td>
      <td className="px-4 text-right whitespace-nowrap">
        {!revokedAt && (
          <span className="inline-flex gap-1.5">
            <Button onClick={() => onChange({ what: 'rotate', key })}>Rotate</Button>
            <Button onClick={() => onChange({ what: 'revoke', key })}>Revoke</Button>
          </span>
        )}
      </td>
    </tr>
  );
}
