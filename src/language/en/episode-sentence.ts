import type { CalendarDay } from '../../shared/calendar.ts';
import { trimEndOf } from '../text/trim-end.ts';

/** "On 2026-03-02 (W10, 2026) we discussed the tap. Approach: a new washer." (requirements 5.6) */
export function sentenceFor(
  { date, week, year }: CalendarDay,
  topic: string,
  approach: string | null,
): string {
  const said = `On ${date} (W${String(week).padStart(2, '0')}, ${year}) we discussed ${topic}.`;
  return approach ? `${said} Approach: ${trimEndOf(approach, /\./)}.` : said;
}
