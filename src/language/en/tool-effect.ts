import type { ToolCall } from '../../shared/role.ts';

/** What a tool call changed. */
export type ToolEffect = 'CHANGED' | 'FAILED' | 'LOOKED_UP' | 'ROUTINE';

const only = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Words in the names of tools that only read. */
const READING = only(`
search query get list find lookup look read retrieve grep glob locate fetch show status state now today current currently forecast check
inspect describe report view browse preview count explain analyze analyse analytics experiment snapshot profiler trace tail logs log history
suggest recommend compare estimate quote validate verify ping scan monitor measure next departures open hours info detail details summary
price prices rate rates weather clock time date calculator calc calculate compute convert translate define dictionary wiki wikipedia web news random joke
`);
/** Words in the names of tools whose changes are routine: the lights, a timer, the memory itself. */
const DAILY = only(`
light lights lamp lamps alarm alarms timer timers stopwatch music song play player playlist volume radio tv thermostat heating temperature
blinds shopping list memory memories profile preference preferences setting settings contact contacts note notes reminder reminders remind
`);
const CHANGING = only(`
book booked buy order reserve pay transfer send submit create update change cancel delete remove add attach upload deploy release rollback
restore restart migrate rotate run renew sign file switch approve archive merge publish issue set enable disable clear write post execute
`);

/** The effect of a tool call, by its name ("flights.search", "create_ticket", "bankTransfer") and success. */
export function effectOf({ name, ok }: ToolCall): ToolEffect {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  if (words.some((word) => DAILY.has(word)) && !words.includes('reserve')) return 'ROUTINE';
  // The verb decides: "reports.send" sends, "orders.list" reads.
  const verb = words.findLast((word) => READING.has(word) || CHANGING.has(word));
  if (verb && READING.has(verb)) return 'LOOKED_UP';
  return ok ? 'CHANGED' : 'FAILED';
}
