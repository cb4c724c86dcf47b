import { type ComponentProps, type ReactNode, useEffect, useId, useState } from 'react';

const BOX = 'min-h-7 rounded-md border border-line bg-surface px-2 text-[13px] text-ink';

type Labelled = { label: string; children: (id: string) => ReactNode; isHidden?: boolean };

function WithLabel({ label, children, isHidden = false }: Labelled) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={isHidden ? 'sr-only' : 'text-xs font-medium text-muted'}>
        {label}
      </label>
      {children(id)}
    </div>
  );
}

type Field = { label: string; hideLabel?: boolean };

/** A line of text with a label. */
export function TextField({
  label,
  hideLabel,
  className = '',
  ...props
}: Field & ComponentProps<'input'>) {
  return (
    <WithLabel label={label} isHidden={hideLabel ?? false}>
      {(id) => <input id={id} className={`${BOX} ${className}`} {...props} />}
    </WithLabel>
  );
}

/** A choice between a few values; the value '' stands for none. */
export function Select({
  label,
  hideLabel,
  options,
  value,
  onChoose,
}: Field & {
  options: readonly (readonly [value: string, text: string])[];
  value: string;
  onChoose: (value: string) => void;
}) {
  return (
    <WithLabel label={label} isHidden={hideLabel ?? false}>
      {(id) => (
        <select
          id={id}
          className={BOX}
          value={value}
          onChange={(event) => onChoose(event.target.value)}
        >
          {options.map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      )}
    </WithLabel>
  );
}

const PAUSE = 250;

/** A line of text that is reported when the typing pauses. */
export function SearchField({
  value,
  onSearch,
  ...props
}: Field & { value: string; onSearch: (value: string) => void; placeholder?: string }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onSearch(typed), PAUSE);
    return () => clearTimeout(timer);
  });
  return (
    <TextField
      type="search"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      {...props}
    />
  );
}
