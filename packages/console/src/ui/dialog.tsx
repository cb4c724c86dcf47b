import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { IconButton } from './button.tsx';

const WIDE = 'w-[min(90rem,calc(100vw-2rem))] max-w-none';
const NARROW = 'w-[min(42rem,calc(100vw-2rem))]';

/** A dialog above the page. Escape closes it, and the focus returns to where it was. */
export function Dialog({
  title,
  onClose,
  isWide = false,
  children,
}: {
  title: string;
  isWide?: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      className={`m-auto rounded-lg border border-line bg-surface text-ink shadow-xl ${isWide ? WIDE : NARROW}`}
    >
      <header className="flex items-center justify-between border-b border-line px-4 py-2">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        <IconButton label="Close" onClick={() => dialog.current?.close()}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </header>
      <div className="max-h-[75vh] overflow-y-auto p-4">{children}</div>
    </dialog>
  );
}
