import { use, useEffect, useId, useState } from 'react';
import { formatTime, TimeZone } from '../../ui/time.tsx';

const STEPS = 500;
const PAUSE = 150;

/** Chooses a time between the beginning of what is known and now. The right end is "now", which is no time in the address. */
export function TimeSlider({
  label,
  from,
  value,
  isDisabled,
  onChange,
}: {
  label: string;
  from: number;
  value: string | undefined;
  isDisabled: boolean;
  onChange: (value: string | undefined) => void;
}) {
  const id = useId();
  const zone = use(TimeZone);
  const [to] = useState(() => Date.now());
  const chosen = value ? Math.round(((Date.parse(value) - from) / (to - from)) * STEPS) : STEPS;
  const [step, setStep] = useState(chosen);
  useEffect(() => setStep(chosen), [chosen]);
  useEffect(() => {
    if (step === chosen) return;
    const timer = setTimeout(() => {
      const time = new Date(from + ((to - from) * step) / STEPS);
      onChange(step >= STEPS ? undefined : time.toISOString());
    }, PAUSE);
    return () => clearTimeout(timer);
  });
  const text =
    step >= STEPS
      ? 'now'
      : formatTime(new Date(from + ((to - from) * step) / STEPS), 'moment', zone);
  return (
    <div className="grid grid-cols-[5rem_minmax(0,1fr)_10rem] items-center gap-3">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={STEPS}
        value={step}
        disabled={isDisabled}
        aria-valuetext={text}
        className="w-full accent-accent"
        onChange={(event) => setStep(Number(event.target.value))}
      />
      <output htmlFor={id} className="text-right tabular-nums text-muted">
        {isDisabled ? 'only for what is believed true' : text}
      </output>
    </div>
  );
}
