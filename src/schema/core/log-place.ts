import type { LogPlace } from '../../watch/watch-events.ts';
import { builder } from './builder.ts';

/** The arguments of a subscription that say where in the event log it begins. */
export const logPlaceArgs = builder.args((t) => ({
  after: t.string({
    description:
      'The cursor of the last event or result that the client has seen; those after it are sent. Without it, only new ones are, unless `fromStart` is true.',
  }),
  fromStart: t.boolean({
    defaultValue: false,
    description:
      'Whether to begin with the oldest stored event instead of the next new one; only without `after`.',
  }),
}));

export const logPlaceOf = ({
  after,
  fromStart,
}: {
  after?: string | null | undefined;
  fromStart?: boolean | null | undefined;
}): LogPlace => ({ after: after ?? null, fromStart: fromStart ?? false });
