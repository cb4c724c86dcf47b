import { useState } from 'react';
import { useUserId } from '../../app/memory.tsx';
import { useChange, useGraph } from '../../app/queries.ts';
import type { ForgetInConsoleMutation, ForgetInput } from '../../generated/graphql.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/screen.tsx';
import { Empty, Failed, Loaded } from '../../ui/states.tsx';
import { EVERYTHING } from './forget.tsx';
import { FORGET } from './operations.ts';
import { TreeThatGoes } from './tree.tsx';

export type Forgotten = Extract<
  ForgetInConsoleMutation['forget'],
  { __typename: 'ForgottenCounts' }
>;

const FIELDS: Record<string, keyof ForgetInput> = {
  Thread: 'threadId',
  Turn: 'turnId',
  Episode: 'episodeId',
  Fact: 'factId',
};

/** What to forget, by a global id, which names its type. */
function inputFor(what: string, userId: string): ForgetInput | null {
  if (what === EVERYTHING) return { everythingOf: userId } as ForgetInput;
  try {
    const field = FIELDS[atob(what).split(':', 1)[0] ?? ''];
    return field ? ({ [field]: what } as ForgetInput) : null;
  } catch {
    return null;
  }
}

/** What would go, by name and number; then, once the caller has said so, it goes. */
export function PreviewPanel({ what, onDone }: { what: string; onDone: () => void }) {
  const userId = useUserId();
  const input = inputFor(what, userId);
  if (!input) {
    return (
      <Panel title="What goes">
        <Empty>There is nothing of this kind to forget.</Empty>
      </Panel>
    );
  }
  const isEverything = what === EVERYTHING;
  const variables = { userId: isEverything ? null : userId, input };
  return (
    <Preview
      what={what}
      variables={variables}
      phrase={isEverything ? userId : 'forget'}
      root={isEverything ? `everything of ${userId}` : 'what you chose'}
      onDone={onDone}
    />
  );
}

/** What the thing itself is called. Things beyond the first ones of each kind are not named. */
const lineOf = ({ items }: Forgotten, what: string): string | undefined =>
  items.find(({ id }) => id === what)?.line;

type Variables = { userId: string | null; input: ForgetInput };

function Preview({
  what,
  variables,
  phrase,
  root,
  onDone,
}: {
  what: string;
  variables: Variables;
  phrase: string;
  root: string;
  onDone: () => void;
}) {
  const forget = useChange(FORGET, (data) => data.forget);
  const preview = useGraph(
    FORGET,
    { ...variables, preview: true },
    { enabled: forget.status === 'idle', renewOn: 'any' },
  );
  const [typed, setTyped] = useState('');
  if (forget.data) {
    return (
      <Panel title="Forgotten" actions={<Button onClick={onDone}>Done</Button>}>
        <TreeThatGoes root={root} counts={forget.data} />
      </Panel>
    );
  }
  return (
    <Panel title="What goes" actions={<Button onClick={onDone}>Cancel</Button>}>
      <Loaded query={preview}>
        {({ forget: counts }) =>
          counts.__typename !== 'ForgottenCounts' ? (
            <Failed error={new Error(counts.message)} />
          ) : (
            <div className="flex flex-col gap-4">
              <section
                aria-label="What goes"
                // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by the arrow keys
                tabIndex={0}
                className="max-h-[55vh] overflow-y-auto"
              >
                <TreeThatGoes root={lineOf(counts, what) ?? root} counts={counts} />
              </section>
              <div className="flex flex-wrap items-end gap-2 border-t border-line pt-4">
                <TextField
                  label={`Type "${phrase}" to forget all of this for good`}
                  value={typed}
                  onChange={({ target }) => setTyped(target.value)}
                />
                <Button
                  look="danger"
                  disabled={typed !== phrase || forget.isPending}
                  onClick={() => forget.mutate({ ...variables, preview: false })}
                >
                  Forget for good
                </Button>
              </div>
              {forget.error && <Failed error={forget.error} />}
            </div>
          )
        }
      </Loaded>
    </Panel>
  );
}
