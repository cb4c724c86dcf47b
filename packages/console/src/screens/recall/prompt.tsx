import { useAddress } from '../../app/address.ts';
import { useUserId } from '../../app/memory.tsx';
import { useAnswer } from '../../app/queries.ts';
import type { PromptInConsoleQuery } from '../../generated/graphql.ts';
import { inWords } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Panel } from '../../ui/screen.tsx';
import { Loaded } from '../../ui/states.tsx';
import { PROMPT } from './operations.ts';
import type { Run } from './run.ts';

type Prompt = Extract<PromptInConsoleQuery['context'], { __typename: 'ContextPayload' }>;

const FEWEST = 200;
const BUDGET = 4_000;

/** What would go before a model if the query were a message, and how its tokens are spent. */
export function PromptPanel({ run: { q = '', channel, at, tokens } }: { run: Run }) {
  const userId = useUserId();
  const [{ thread }] = useAddress();
  const asked = Number(tokens);
  const maxTokens = asked > 0 ? Math.max(FEWEST, asked) : BUDGET;
  const input = {
    userId,
    message: q,
    channel: channel ?? 'default',
    threadId: thread ?? null,
    asOf: at ?? null,
    maxTokens,
    dryRun: true,
  };
  const query = useAnswer(PROMPT, { input }, (data) => data.context);
  return (
    <Panel
      title="What a model would be given"
      actions={query.data && <CopyButton label="Copy" text={query.data.markdown} />}
    >
      <Loaded query={query}>
        {(prompt) => (
          <div className="flex flex-col gap-3">
            <TokenBar prompt={prompt} budget={maxTokens} />
            <section
              aria-label="Prompt block"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by the arrow keys
              tabIndex={0}
              className="words max-h-96 overflow-y-auto rounded-md bg-raised p-3 font-mono text-xs"
            >
              {prompt.markdown}
            </section>
          </div>
        )}
      </Loaded>
    </Panel>
  );
}

const TONES = [90, 70, 55, 42, 32, 24, 18, 12].map((opacity) => opacity / 100);

function TokenBar({ prompt, budget }: { prompt: Prompt; budget: number }) {
  const { sections, tokens, leftOut } = prompt;
  let x = 0;
  const gone = Object.entries(leftOut).filter(([, count]) => Number(count) > 0);
  return (
    <figure className="flex flex-col gap-1.5">
      <svg
        viewBox={`0 0 ${budget} 10`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${tokens} of ${budget} tokens`}
        className="h-4 w-full rounded bg-raised"
      >
        {sections.map((section, place) => {
          const from = x;
          x += section.tokens;
          return (
            <rect
              key={section.name}
              x={from}
              width={section.tokens}
              height={10}
              className="fill-accent"
              fillOpacity={TONES[place]}
            />
          );
        })}
      </svg>
      <figcaption className="flex flex-wrap gap-x-4 text-xs text-muted">
        <span className="font-medium text-ink tabular-nums">
          {tokens} of {budget} tokens
        </span>
        {sections.map(({ name, tokens: count }, place) => (
          <span key={name} className="flex items-center gap-1.5 tabular-nums">
            <svg aria-hidden viewBox="0 0 10 10" className="size-2.5">
              <rect
                width={10}
                height={10}
                rx={2}
                className="fill-accent"
                fillOpacity={TONES[place]}
              />
            </svg>
            {inWords(name)} {count}
          </span>
        ))}
        {gone.length > 0 && (
          <span>
            left out:{' '}
            {gone.map(([name, count]) => (count === true ? name : `${count} ${name}`)).join(', ')}
          </span>
        )}
      </figcaption>
    </figure>
  );
}
