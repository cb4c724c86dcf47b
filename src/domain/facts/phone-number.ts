import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Longer than any phone number, however it is written. */
const LONGEST = 40;

/** Whether a text can be a phone number: an international one by the rules of its country, any other by its length. */
export function isPhoneNumber(text: string): boolean {
  if (text.length > LONGEST) return false;
  const digits = text.replace(/\D/g, '').length;
  if (!text.trim().startsWith('+')) return digits >= 5 && digits <= 15;
  return parsePhoneNumberFromString(text)?.isPossible() ?? false;
}
