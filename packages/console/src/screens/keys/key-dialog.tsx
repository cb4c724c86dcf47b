import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { useUserId } from '../../app/memory.tsx';
import { renewAll } from '../../app/queries.ts';
import { useSession } from '../../app/session.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CreateForm, RevokeForm, RotateForm } from './key-forms.tsx';
import type { Key } from './keys.tsx';

/** What is to be done with keys. */
export type Change = { what: 'create' } | { what: 'rotate' | 'revoke'; key: Key };

const TITLES = { create: 'New key', rotate: 'Rotate a key', revoke: 'Revoke a key' };

/** Makes, rotates or revokes a key. A new secret is shown once, and is gone with the dialog. */
export function KeyDialog({ change, onClose }: { change: Change; onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  const queries = useQueryClient();
  const { hasSecret, signIn } = useSession();
  const userId = useUserId();
  const [, go] = useAddress();
  const close = () => {
    onClose();
    if (secret !== null && !hasSecret) {
      // The server was open until now, and asks for a key from now on.
      go({ user: userId }, true);
      signIn(secret);
    } else renewAll(queries);
  };
  return (
    <Dialog title={TITLES[change.what]} onClose={close}>
      {secret !== null ? (
        <Secret secret={secret} />
      ) : change.what === 'create' ? (
        <CreateForm onSecret={setSecret} />
      ) : change.what === 'rotate' ? (
        <RotateForm of={change.key} onSecret={setSecret} />
      ) : (
        <RevokeForm of={change.key} onDone={close} />
      )}
    </Dialog>
  );
}

function Secret({ secret }: { secret: string }) {
  return (
    <div className="flex flex-col gap-3">
      <p>Copy it now. It is shown this once and can never be read again.</p>
      <p className="flex flex-wrap items-center gap-3 rounded-md bg-raised px-3 py-2">
        <code className="words min-w-0 flex-1 font-mono text-xs">{secret}</code>
        <CopyButton text={secret} label="Copy" />
      </p>
    </div>
  );
}
