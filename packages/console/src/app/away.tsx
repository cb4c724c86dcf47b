import { useIsAway } from './session.tsx';

/** Says that the server does not answer, as long as it does not. */
export function Away() {
  const isAway = useIsAway();
  return (
    <div role="status" aria-live="polite">
      {isAway && (
        <p className="bg-warn-soft px-4 py-1.5 text-warn">
          The server does not answer. Trying again; what is shown may be old.
        </p>
      )}
    </div>
  );
}
