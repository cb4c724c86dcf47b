import { notMergedAfter } from '../../core/not-merged-after.ts';
import { saidWithin, within } from '../asked-about.ts';
import type { KindSearch } from '../kind.ts';

export const search: KindSearch = {
  where: `e.kind <> 'PRIMARY' AND e.summary IS NOT NULL AND (e.capture IS NULL OR e.capture = 'CREATED')
    AND ${within('e')} AND ($8::timestamptz IS NULL OR ${notMergedAfter('e', '$8')}) AND ${saidWithin('e')}`,
  at: 'e.ended_at',
  reviewedAt: 'e.last_reviewed_at',
  stability: 'e.stability',
  surprise: 'e.surprise',
};
