import { InvalidInput } from '../../domain/core/errors.ts';

/** The conditions on columns for a span of time, `to` exclusive. Without a bound there is none. @throws InvalidInput if it is empty */
export function spanOf({
  from,
  to,
}: {
  from?: Date | null | undefined;
  to?: Date | null | undefined;
}): {
  gte?: Date;
  lt?: Date;
} {
  if (from && to && from >= to) {
    throw new InvalidInput([{ path: 'to', message: 'must be later than `from`' }]);
  }
  return { ...(from ? { gte: from } : {}), ...(to ? { lt: to } : {}) };
}
