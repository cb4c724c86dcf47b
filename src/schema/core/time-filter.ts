import { InvalidInput } from '../../domain/core/errors.ts';
import { nearestStorableTime } from '../../domain/core/storable-time.ts';

type Span = { from?: Date | null | undefined; to?: Date | null | undefined };

/** The conditions on columns for a span of time, `to` exclusive. Without a bound there is none. @throws InvalidInput if it is empty */
export function spanOf({ from, to }: Span): { gte?: Date; lt?: Date } {
  if (from && to && from >= to) {
    throw new InvalidInput([{ path: 'to', message: 'must be later than `from`' }]);
  }
  return {
    ...(from ? { gte: nearestStorableTime(from) } : {}),
    ...(to ? { lt: nearestStorableTime(to) } : {}),
  };
}

/**
 * The conditions for what lasts: its end not before `from`, its start before `to`. @throws InvalidInput if the span is empty
 * @param endsFrom the condition on its end
 */
export function overlapping<Ends extends object>(span: Span, endsFrom: (gte: Date) => Ends) {
  const { gte, lt } = spanOf(span);
  return { ...(gte ? endsFrom(gte) : {}), ...(lt ? { startedAt: { lt } } : {}) };
}
