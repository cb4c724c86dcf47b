import { use } from 'react';
import { TextField } from '../ui/field.tsx';
import { startOf, TimeZone } from '../ui/time.tsx';
import { useAddress } from './address.ts';

/** The days that the address names, as moments in the user's time zone; null where nothing is named. */
export function useSpan(): { from: string | null; to: string | null } {
  const zone = use(TimeZone);
  const [{ from, to }] = useAddress();
  return {
    from: from ? startOf(from, zone) : null,
    // The day itself belongs to it.
    to: to ? startOf(to, zone, 1) : null,
  };
}

/** Chooses the first and the last day of what is shown. */
export function SpanFields() {
  const [{ from, to }, change] = useAddress();
  return (
    <>
      <TextField
        type="date"
        label="From"
        value={from ?? ''}
        onChange={({ target }) => change({ from: target.value || undefined })}
      />
      <TextField
        type="date"
        label="Until"
        value={to ?? ''}
        onChange={({ target }) => change({ to: target.value || undefined })}
      />
    </>
  );
}
