import { createMemory, type Fact } from '@mnemograph/client';
import { type FormEvent, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

const memory = createMemory({ url: location.origin });

/** The events after which facts may be others. */
const KINDS = [
  'FACT_RECORDED',
  'FACT_RETRACTED',
  'FACT_RESTORED',
  'FACT_SUPERSEDED',
  'MEMORY_FORGOTTEN',
] as const;

/** The facts of the memory, always the current ones. */
function useFacts(): Fact[] {
  const [facts, setFacts] = useState<Fact[]>([]);
  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    const read = async () => {
      const found: Fact[] = [];
      for await (const fact of memory.facts.all({}, { signal })) found.push(fact);
      setFacts(found);
    };
    const follow = async () => {
      // First the place in the log, then the facts: what changes meanwhile comes as an event.
      const after = await memory.newestCursor({ signal });
      await read();
      // Without a cursor the memory was empty: then its first events count, too.
      const events = memory.events({ after, fromStart: true, kinds: KINDS, signal });
      for await (const _event of events) await read();
    };
    follow().catch((error) => {
      if (!signal.aborted) throw error;
    });
    return () => over.abort();
  }, []);
  return facts;
}

function Page() {
  const facts = useFacts();
  const [text, setText] = useState('');
  const say = async (event: FormEvent) => {
    event.preventDefault();
    setText('');
    await memory.remember(text, { channel: 'page' });
  };
  return (
    <main>
      <form onSubmit={say}>
        <label>
          Say something about yourself:{' '}
          <input value={text} onChange={({ target }) => setText(target.value)} />
        </label>
      </form>
      <ul>
        {facts.map(({ id, statement }) => (
          <li key={id}>{statement}</li>
        ))}
      </ul>
    </main>
  );
}

createRoot(document.querySelector('#page') as HTMLElement).render(<Page />);
