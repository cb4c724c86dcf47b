import type { ComponentProps, ReactNode } from 'react';

type Look = 'plain' | 'primary' | 'danger' | 'quiet';

const LOOKS: Record<Look, string> = {
  plain: 'border-line bg-surface hover:bg-raised',
  primary: 'border-transparent bg-accent text-on-accent hover:brightness-110',
  danger: 'border-danger/40 bg-danger-soft text-danger hover:brightness-105',
  quiet: 'border-transparent text-muted hover:bg-raised hover:text-ink',
};

const SHAPE =
  'inline-flex min-h-7 items-center justify-center gap-1.5 rounded-md border px-2.5 py-0.5';

type ButtonProps = ComponentProps<'button'> & { look?: Look };

/** A button. `look` says how much it matters. */
export function Button({ look = 'plain', className = '', ...props }: ButtonProps) {
  return (
    <button
      type="button"
      className={`${SHAPE} text-[13px] font-medium whitespace-nowrap disabled:opacity-50 ${LOOKS[look]} ${className}`}
      {...props}
    />
  );
}

/** A button that shows an icon only; its label is read out and shown on hover. */
export function IconButton({
  label,
  children,
  ...props
}: ButtonProps & { label: string; children: ReactNode }) {
  return (
    <Button look="quiet" aria-label={label} title={label} {...props} className="px-1.5">
      {children}
    </Button>
  );
}
