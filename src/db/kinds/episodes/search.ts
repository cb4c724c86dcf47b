import { notMergedSince, saidIn, within } from '../asked-about.ts';
import type { Search } from '../kind.ts';

export const search: Search = {
  where: `e.kind <> 'PRIMARY' AND e.summary IS NOT NULL AND (e.capture IS NULL OR e.capture = 'CREATED')
    AND ${within('e')} AND ${notMergedSince('e')} AND ${saidIn('e')}`,
  at: 'e.ended_at',
  reviewedAt: 'e.last_reviewed_at',
  stability: 'e.stability',
  surprise: 'e.surprise',
};
