import { type Draft, draft } from './draft.ts';

/** Attributes of the user that have one value at a time: how statements and the user put them, and how important they are. */
const ATTRIBUTES = {
  name: ["The user's name is", 'my name is', 0.9],
  full_name: ["The user's full name is", 'my full name is', 0.9],
  nickname: ['The user is called', 'people call me', 0.9],
  age: ['The user is', 'I am', 0.7],
  birthday: ["The user's birthday is", 'my birthday is', 0.7],
  city: ['The user lives in', 'I live in', 0.8],
  country: ['The user lives in', 'I live in', 0.8],
  hometown: ['The user comes from', 'I grew up in', 0.7],
  email: ["The user's e-mail address is", 'my email is', 0.7],
  phone: ["The user's phone number is", 'my number is', 0.7],
  website: ["The user's website is", 'my website is', 0.7],
  pronouns: ["The user's pronouns are", 'my pronouns are', 0.8],
  timezone: ["The user's time zone is", 'my time zone is', 0.7],
  employer: ['The user works at', 'I work at', 0.75],
  occupation: ['The user works as', 'I work as a', 0.8],
  school: ['The user studies at', 'I study at', 0.7],
} as const;

type Attribute = keyof typeof ATTRIBUTES;

/** Drafts an attribute of the user. Empty if no value was read. */
export const profile = (attribute: Attribute, value: string | null, more?: Partial<Draft>) => {
  if (value === null) return [];
  const [says, , importance] = ATTRIBUTES[attribute];
  const statement = `${says} ${value}.`;
  const fields = { key: `profile:${attribute}`, value, statement, confidence: 0.95, importance };
  return [draft('IDENTITY', { ...fields, ...more })];
};

/** How the user states the attribute with a key: "profile:city" → "I live in". */
export const frameOf = (key: string | null | undefined): string | undefined =>
  ATTRIBUTES[key?.replace(/^profile:/, '') as Attribute]?.[1];
