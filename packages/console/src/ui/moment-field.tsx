import { TextField } from './field.tsx';

/** Chooses a moment, in UTC. No moment is `undefined`. */
export function MomentField({
  label,
  value,
  onChoose,
}: {
  label: string;
  value: string | undefined;
  onChoose: (moment: string | undefined) => void;
}) {
  return (
    <TextField
      label={`${label} (UTC)`}
      type="datetime-local"
      value={value?.slice(0, 16) ?? ''}
      onChange={({ target }) => onChoose(target.value ? `${target.value}:00.000Z` : undefined)}
    />
  );
}
