import { expect, it } from 'vitest';
import { askedKeysOf } from '../../../src/language/en/asked-keys.ts';

it.each([
  ["What's my name?", 'profile:name'],
  ['what is my name', 'profile:name'],
  ['Do you remember my name?', 'profile:name'],
  ['Who am I?', 'profile:name'],
  ['Tell me my e-mail address, please.', 'profile:email'],
  ['How old am I?', 'profile:age'],
  ['Where do I live?', 'profile:city'],
  ['When is my birthday?', 'profile:birthday'],
  ['What do I do for a living?', 'profile:occupation'],
])('"%s" asks for the key %s', (query, key) => {
  expect(askedKeysOf(query)[0]).toBe(key);
});

it.each([
  "What's my dog's name?",
  'What is the name of the hotel?',
  'Did I ever like my name?',
  'What did we say about my age?',
  'name',
])('"%s" does not ask for a single key', (query) => {
  expect(askedKeysOf(query)).toEqual([]);
});
