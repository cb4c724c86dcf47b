import { payloadOf } from '@mnemograph/client';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useRequest } from '../../app/queries.ts';
import { useSession } from '../../app/session.tsx';
import type { Document } from '../../app/typed.ts';
import type { ApiKeyAccess } from '../../generated/graphql.ts';
import { Button } from '../../ui/button.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Failed } from '../../ui/states.tsx';
import type { Key } from './keys.tsx';
import { CREATE, REVOKE, ROTATE } from './operations.ts';

/** Changes keys without asking anything anew, since the server may ask for the new key already while its secret is shown. */
function useKeyChange<Data, Variables, Result>(
  document: Document<Data, Variables>,
  resultOf: (data: Data) => Result,
) {
  const request = useRequest();
  return useMutation({
    mutationFn: async (variables: Variables) =>
      payloadOf(resultOf(await request(document, variables))),
  });
}

function Form({
  of: { error, isPending },
  onSubmit,
  action,
  isDangerous = false,
  children,
}: {
  of: Pick<UseMutationResult<unknown, Error, never>, 'error' | 'isPending'>;
  onSubmit: () => void;
  action: string;
  isDangerous?: boolean;
  children: ReactNode;
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      {children}
      {error && <Failed error={error} />}
      <div className="flex justify-end">
        <Button look={isDangerous ? 'danger' : 'primary'} type="submit" disabled={isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
}

const ACCESS = [
  ['ALL', 'everything, forgetting included'],
  ['WRITE', 'reading and remembering'],
  ['READ', 'reading only'],
] as const;

/** Makes a key. */
export function CreateForm({ onSecret }: { onSecret: (secret: string) => void }) {
  const { hasSecret } = useSession();
  const create = useKeyChange(CREATE, (data) => data.createApiKey);
  const [name, setName] = useState('');
  const [userId, setUserId] = useState('');
  const [access, setAccess] = useState<string>('ALL');
  const submit = () =>
    create.mutate(
      { name: name.trim(), access: access as ApiKeyAccess, userId: userId.trim() || null },
      { onSuccess: ({ secret }) => onSecret(secret) },
    );
  return (
    <Form of={create} onSubmit={submit} action="Make the key">
      {!hasSecret && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-warn">
          This server is open until its first key exists. From then on it asks for one, and this tab
          uses the new key: give it access to everything, for all users.
        </p>
      )}
      <TextField
        label="Name"
        required
        maxLength={200}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Select label="It permits" options={ACCESS} value={access} onChoose={setAccess} />
      <TextField
        label="Only for the user (all users if empty)"
        value={userId}
        onChange={({ target }) => setUserId(target.value)}
      />
    </Form>
  );
}

const GRACE = [
  ['0', 'at once'],
  ['60', 'in an hour'],
  ['1440', 'in a day'],
] as const;

/** Replaces the secret of a key. */
export function RotateForm({ of: key, onSecret }: { of: Key; onSecret: (secret: string) => void }) {
  const rotate = useKeyChange(ROTATE, (data) => data.rotateApiKey);
  const [grace, setGrace] = useState<string>('60');
  const submit = () =>
    rotate.mutate(
      { id: key.id, graceMinutes: Number(grace) },
      { onSuccess: ({ secret }) => onSecret(secret) },
    );
  return (
    <Form of={rotate} onSubmit={submit} action="Make a new secret">
      <p>
        “<span dir="auto">{key.name}</span>” gets a new secret.
      </p>
      <Select label="The old one ends" options={GRACE} value={grace} onChoose={setGrace} />
    </Form>
  );
}

/** Revokes a key for good. */
export function RevokeForm({ of: key, onDone }: { of: Key; onDone: () => void }) {
  const revoke = useKeyChange(REVOKE, (data) => data.revokeApiKey);
  const submit = () => revoke.mutate({ id: key.id }, { onSuccess: onDone });
  return (
    <Form of={revoke} onSubmit={submit} action="Revoke" isDangerous>
      <p>
        “<span dir="auto">{key.name}</span>” is refused at once and for good. Applications that use
        it lose the memory, and so does this tab if it is its own key.
      </p>
    </Form>
  );
}
