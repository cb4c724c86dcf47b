import type { LogPlace } from '../../watch/watch-events.ts';
import { builder } from './builder.ts';

/** The arguments of a subscription that say where in the event log it begins. @param stored one of what it reads there */
export const logPlaceArgs = (stored: string) =>
  builder.args((t) => ({
    after: t.string({
      description:
        `The cursor of the last ${stored} that the client has seen: the stream continues after it. ` +
        'Without `after`, the stream begins with what happens from now on, unless `fromStart` is true.',
    }),
    fromStart: t.boolean({
      defaultValue: false,
      description: `Whether to begin with the oldest stored ${stored} instead of the next new one. Ignored if \`after\` is given.`,
    }),
  }));

export const logPlaceOf = ({
  after,
  fromStart,
}: {
  after?: string | null | undefined;
  fromStart?: boolean | null | undefined;
}): LogPlace => ({ after: after ?? null, fromStart: fromStart ?? false });
