import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The width of an element in pixels, for pictures that fill it; 0 until it was measured. */
export function useWidth<Element extends HTMLElement>(): [RefObject<Element | null>, number] {
  const ref = useRef<Element>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

/**
 * Scrolls a picture over time sideways: to its end, where the newest is, when it is drawn first, then to what is chosen in it.
 * @param isDrawn whether its width is known
 */
export function useNewestFirst(
  ref: RefObject<HTMLElement | null>,
  isDrawn: boolean,
  chosen: string | undefined,
): void {
  useLayoutEffect(() => {
    if (isDrawn && ref.current) ref.current.scrollLeft = ref.current.scrollWidth;
  }, [ref, isDrawn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is another place
  useLayoutEffect(() => {
    const box = ref.current;
    const pressed = box?.querySelector<HTMLElement>('[aria-pressed=true]');
    if (!box || !pressed) return;
    const { left, width } = pressed.getBoundingClientRect();
    const from = left - box.getBoundingClientRect().left;
    if (from < 0 || from + width > box.clientWidth) {
      box.scrollLeft += from - (box.clientWidth - width) / 2;
    }
  }, [ref, isDrawn, chosen]);
}
