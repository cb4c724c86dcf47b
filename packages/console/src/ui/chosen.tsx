import { type ReactNode, useEffect, useRef } from 'react';

/** How much of something must be in the window to be noticed, in pixels. */
const NOTICED = 120;

/** The look of a list that something is chosen from: what is chosen stays beside it, or below it on a narrow screen. */
export const CHOICES = 'max-h-[50vh] overflow-y-auto lg:max-h-[75vh]';

/** What was chosen from a list. It is scrolled to when another is chosen and it would not be noticed. */
export function Chosen({ of, children }: { of: string | undefined; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef(of);
  useEffect(() => {
    const isOther = of !== before.current;
    before.current = of;
    const top = box.current?.getBoundingClientRect().top ?? 0;
    if (!isOther || of === undefined) return;
    if (top < 0 || top > window.innerHeight - NOTICED) {
      box.current?.scrollIntoView({ block: 'start' });
    }
  }, [of]);
  return (
    <div ref={box} className="flex min-w-0 scroll-mt-2 flex-col gap-4">
      {children}
    </div>
  );
}
