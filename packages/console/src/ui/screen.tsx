import type { ReactNode } from 'react';

/** A screen: its name, one line that says what it shows, its filters, and the rest below. */
export function Screen({
  title,
  about,
  toolbar,
  children,
}: {
  title: string;
  about: string;
  toolbar?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="mx-auto flex max-w-[1500px] flex-col gap-4 p-4 md:p-6">
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
          <p className="text-muted">{about}</p>
        </div>
        {toolbar && <div className="flex flex-wrap items-end gap-2">{toolbar}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a screen with a heading. */
export function Panel({
  title,
  actions,
  children,
  isFlush = false,
}: {
  title?: string | undefined;
  actions?: ReactNode;
  children: ReactNode;
  /** Whether the contents reach to the border, as a list does. */
  isFlush?: boolean;
}) {
  return (
    <section className="min-w-0 rounded-lg border border-line bg-surface">
      {title !== undefined && (
        <header className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-2">
          <h2 className="text-[13px] font-semibold">{title}</h2>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
      )}
      <div className={isFlush ? '' : 'p-4'}>{children}</div>
    </section>
  );
}

/** Names and values, one pair a line. */
export function Details({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1">
      {of.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
