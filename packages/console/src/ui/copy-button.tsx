import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';

/** Copies a text, and says so. Browsers copy only on pages over HTTPS or of this machine. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      setOutcome('refused');
    }
    setTimeout(() => setOutcome(null), SHOWN);
  };
  const Icon = outcome === 'copied' ? Check : Copy;
  return (
    <Button onClick={() => void copy()}>
      <Icon aria-hidden className="size-3.5" />
      {outcome === null ? label : OUTCOMES[outcome]}
    </Button>
  );
}

const OUTCOMES = { copied: 'Copied', refused: 'Select it and copy' };
const SHOWN = 1_500;
