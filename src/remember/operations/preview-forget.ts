import type { MemoryContext } from '../../context.ts';
import type { ForgetTarget } from '../../db/forget/forget.ts';
import type { Present, PreviewItem } from '../../db/forget/preview.ts';
import type { Forgotten } from '../../db/kinds/erase.ts';
import { NotFound } from '../../domain/core/errors.ts';
import { PREVIEWED } from '../../domain/core/previewed.ts';

/** What a forget would erase: true counts, and the first items by name. */
export type ForgetPreview = Forgotten & { items: PreviewItem[] };

/** The most items that are named. */
export const MOST_ITEMS = 50;

/** Carries the result of a transaction out of it, and rolls it back. */
class RolledBack<T> extends Error {
  override readonly name = 'RolledBack';
  readonly result: T;
  constructor(result: T) {
    super('This transaction is a preview.');
    this.result = result;
  }
}

type Gone = { counts: Forgotten; ids: Present } | null;

/**
 * Says what `forget` would erase, and changes nothing: it forgets in a transaction that is rolled back, so that the counts
 * are those of the real thing.
 * @throws NotFound if the target does not exist
 */
export async function previewForget(
  ctx: MemoryContext,
  userId: string,
  target: ForgetTarget,
): Promise<ForgetPreview> {
  const memory = ctx.memory(userId);
  const work = memory.write(
    async ({ forget, forgetPreview, now }): Promise<never> => {
      const before = await forgetPreview.presentIn();
      const counts = await forget.forget(target, now);
      const ids = counts && missing(before, await forgetPreview.presentIn());
      throw new RolledBack<Gone>(counts && ids && { counts, ids });
    },
    { lock: false },
  );
  const gone = await work.catch((error: unknown) => {
    if (error instanceof RolledBack) return error.result as Gone;
    throw error;
  });
  if (!gone) throw new NotFound(target.kind);
  const { counts, ids } = gone;
  const items = await memory.read((reader) => reader.forgetPreview.lines(ids, MOST_ITEMS));
  return { ...counts, items };
}

function missing(before: Present, after: Present): Present {
  const gone = { ...before };
  for (const kind of PREVIEWED) {
    const left = new Set(after[kind]);
    gone[kind] = before[kind].filter((id) => !left.has(id));
  }
  return gone;
}
