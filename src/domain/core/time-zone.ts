import { z } from 'zod';

/** The name of a time zone that this platform knows. */
export const timeZoneSchema = z
  .string()
  .refine(isTimeZone, 'must be an IANA time zone, such as "Europe/Lisbon"');

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
