import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Longer than any phone number, however it is written. */
const LONGEST = 40;

/** Whether digits can be a phone number: an international one as its country has them, another by its length. */
export function isPhoneNumber(text: string): boolean {
  if (text.length > LONGEST) return false;
  const digits = text.replace(/\D/g, '').length;
  if (!text.trim().startsWith('+')) return digits >= 5 && digits <= 15;
  return parsePhoneNumberFromString(text)?.isPossible() ?? false;
}
