import { Button } from '../ui/button.tsx';
import { useEventLog, useRestart } from './memory.tsx';

/** Says that the events of the memory are not followed any more, when the server has refused it. */
export function NotLive() {
  const { state, error } = useEventLog();
  const restart = useRestart();
  if (state !== 'failed') return null;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-danger-soft px-4 py-1.5"
    >
      <p className="words min-w-0 flex-1">
        <strong className="font-semibold">This page is not live any more.</strong> {error?.message}
      </p>
      <Button onClick={restart}>Try again</Button>
    </div>
  );
}
