import { type Access, ownerOf } from './ask.ts';
import { ZONE } from './operations.ts';

const UTC = 'UTC';
const DAY = 86_400_000;
const MINUTE = 60_000;

/** A time that a tool is given: a moment, or what clocks show in the user's time zone, as milliseconds as if that were UTC. */
export type Given = { moment: string } | { clock: number };

/** The time zone of a user in an answer; UTC if the user has none. */
export const zoneIn = ({ user, viewer }: Zoned): string => (user ?? viewer)?.timeZone ?? UTC;
type Zoned = { user?: Owner; viewer?: Owner };
type Owner = { timeZone?: string | null } | null;

/** The same, asked for. */
export const zoneOf = async (access: Access): Promise<string> =>
  zoneIn(await access.ask(ZONE, ownerOf(access)));

/** The moment that is meant, in the form of ISO 8601; undefined if none is given. */
export async function momentOf(
  given: Given | undefined,
  access: Access,
): Promise<string | undefined> {
  if (given === undefined || 'moment' in given) return given?.moment;
  return new Date(momentAt(given.clock, await zoneOf(access))).toISOString();
}

/** The day of a moment in a time zone. */
export const day = (at: string, zone: string): string => read(at, zone).text.slice(0, 10);

/** A moment to the minute in a time zone, with how far that is from UTC. */
export function minute(at: string, zone: string): string {
  const { text, offset } = read(at, zone);
  return `${text.slice(0, 16).replace('T', ' ')}${markOf(offset)}`;
}

/** What clocks show, and how far it is from UTC in milliseconds. */
function read(at: string, zone: string): { text: string; offset: number } {
  const moment = Date.parse(at);
  const offset = offsetAt(moment, zone);
  return { text: new Date(moment + offset).toISOString(), offset };
}

function markOf(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / MINUTE);
  if (minutes === 0) return 'Z';
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${offset < 0 ? '-' : '+'}${hours}:${rest}`;
}

/** The moment at which clocks show this: the first one if they show it twice, and if they never do, the one after the gap. */
function momentAt(clock: number, zone: string): number {
  const around = [clock - DAY, clock + DAY].map((near) => clock - offsetAt(near, zone));
  const exact = around.filter((moment) => moment + offsetAt(moment, zone) === clock);
  return exact.length > 0 ? Math.min(...exact) : Math.max(...around);
}

/** How far the clocks of a zone are from UTC at a moment, in milliseconds. */
function offsetAt(moment: number, zone: string): number {
  const parts = formatOf(zone).formatToParts(moment);
  const numbers = new Map(parts.map(({ type, value }) => [type, Number(value)]));
  const [year = 0, month = 1, ...rest] = FIELDS.map((field) => numbers.get(field) ?? 0);
  return Date.UTC(year, month - 1, ...rest) - Math.floor(moment / 1000) * 1000;
}

const FIELDS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;
const FORMATS = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    ...Object.fromEntries(FIELDS.map((field) => [field, 'numeric'])),
  });
  FORMATS.set(zone, format);
  return format;
}
