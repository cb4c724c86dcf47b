import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { useSession } from './session.tsx';

/** Asks for an API key or a user token. */
export function SignIn({ notice }: { notice: string | null }) {
  const { signIn } = useSession();
  const [secret, setSecret] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (secret.trim() !== '') signIn(secret.trim());
  };
  return (
    <main className="grid min-h-full place-items-center p-4">
      <form
        onSubmit={submit}
        className="flex w-full max-w-sm flex-col gap-3 rounded-lg border border-line bg-surface p-6"
      >
        <h1 className="text-lg font-semibold">Mnemograph</h1>
        <p className="text-muted">
          Enter an API key or a user token. It stays in this tab until you close or reload it.
        </p>
        {notice !== null && (
          <p role="alert" className="rounded-md bg-danger-soft px-3 py-2">
            {notice}
          </p>
        )}
        <TextField
          label="API key or token"
          type="password"
          autoComplete="off"
          autoFocus
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
        />
        <Button look="primary" type="submit">
          Open
        </Button>
      </form>
    </main>
  );
}
