import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';

/** Copies a text, and says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <Button onClick={() => void copy()}>
      <Icon aria-hidden className="size-3.5" />
      {isCopied ? 'Copied' : label}
    </Button>
  );
}
