import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useUserId } from '../../app/memory.tsx';
import { SERVER_URL } from '../../app/place.ts';
import { renewAll, useChange } from '../../app/queries.ts';
import { useSession } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/screen.tsx';
import { Failed } from '../../ui/states.tsx';
import { EXPORT } from './operations.ts';

/** Exports the memory as a file, and imports one into a memory that is empty. */
export function ArchivePanel() {
  return (
    <div className="flex flex-col gap-4">
      <Export />
      <Import />
    </div>
  );
}

function Export() {
  const userId = useUserId();
  const ask = useChange(EXPORT, (data) => data.exportMemory);
  const download = () =>
    ask.mutate(
      { userId },
      {
        onSuccess: ({ url }) => {
          const link = document.createElement('a');
          link.href = new URL(url.replace(/^\//, ''), SERVER_URL).href;
          link.download = '';
          link.click();
        },
      },
    );
  return (
    <Panel title="Export">
      <div className="flex flex-col items-start gap-3">
        <p className="text-muted">
          One file with everything in this memory, word for word, as lines of JSON.
        </p>
        <Button disabled={ask.isPending} onClick={download}>
          Download the archive
        </Button>
        {ask.error && <Failed error={ask.error} />}
      </div>
    </Panel>
  );
}

type Answer = { imported?: unknown; errors?: { message: string }[] };

function Import() {
  const userId = useUserId();
  const { send } = useSession();
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const upload = useMutation({
    mutationFn: async (body: File) => {
      const response = await send(`import/${encodeURIComponent(userId)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body,
      });
      const { errors }: Answer = await response.json();
      if (errors?.[0]) throw new Error(errors[0].message);
    },
    onSuccess: () => renewAll(queries),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file) upload.mutate(file);
  };
  return (
    <Panel title="Import">
      <form onSubmit={submit} className="flex flex-col items-start gap-3">
        <p className="text-muted">An archive that was exported before, into this memory.</p>
        <TextField
          label="Archive"
          type="file"
          accept=".ndjson"
          className="py-1"
          onChange={({ target }) => setFile(target.files?.[0] ?? null)}
        />
        <Button type="submit" disabled={!file || upload.isPending}>
          {upload.isPending ? 'Importing …' : 'Import'}
        </Button>
        <div role="status">{upload.isSuccess && 'The archive is imported.'}</div>
        {upload.error && <Failed error={upload.error} />}
      </form>
    </Panel>
  );
}
