/** A way to say something, with a unique word. */
type Telling = (word: string) => string;

/** Groups of sentences that state the same thing, with a unique word or without one. */
export const TELLINGS: Readonly<Record<string, readonly Telling[]>> = {
  tool: [
    (word) => `I use Python at ${word}.`,
    (word) => `I use Python for the ${word} project.`,
    () => 'I use Python.',
  ],
  work: [
    (word) => `I work as a nurse at ${word}.`,
    (word) => `I work as a nurse in ${word}.`,
    () => 'I work as a nurse.',
  ],
  employer: [
    (word) => `I work at ${word}.`,
    (word) => `I work for ${word} in Lisbon.`,
    () => 'I work in Lisbon.',
  ],
  city: [
    (word) => `I live in Braga near the ${word} bridge.`,
    (word) => `I live in Braga with ${word}.`,
    () => 'I live in Braga.',
  ],
  move: [
    (word) => `I live in ${word}.`,
    (word) => `Actually I moved to ${word}.`,
    () => 'I live in Porto.',
  ],
  like: [
    (word) => `I love hiking with ${word}.`,
    (word) => `I love hiking in ${word}.`,
    () => 'I love hiking.',
  ],
  taste: [
    (word) => `I like tea from ${word}.`,
    (word) => `I hate tea since ${word}.`,
    () => 'I like tea.',
  ],
  denial: [
    (word) => `I don't eat fish since ${word}.`,
    (word) => `I don't eat fish at ${word}.`,
    () => "I don't eat fish.",
  ],
  name: [
    (word) => `My name is Alex ${word}.`,
    (word) => `Call me ${word}.`,
    () => 'My name is Alex.',
  ],
  sister: [
    (word) => `My sister ${word} is 30 years old.`,
    (word) => `My sister's name is ${word}.`,
    () => 'My sister is 30 years old.',
    () => 'She likes tea.',
  ],
  pet: [
    (word) => `My dog ${word} is 3 years old.`,
    (word) => `I have a dog called ${word}.`,
    () => 'My dog is 3 years old.',
    () => 'He loves cheese.',
  ],
  wife: [
    (word) => `My wife ${word} works as a teacher.`,
    (word) => `My wife works as a teacher at ${word}.`,
    () => 'My wife works as a teacher.',
  ],
  email: [
    (word) => `My email is alex@${word.toLowerCase()}.org.`,
    (word) => `My email is alex@example.org, ${word} made it.`,
    () => 'My email is alex@example.org.',
  ],
  instruction: [
    (word) => `Always answer in French when I talk of ${word}.`,
    (word) => `Please always answer in French, like ${word}.`,
    () => 'Always answer in French.',
  ],
  goal: [
    (word) => `I want to learn Danish with ${word}.`,
    (word) => `My goal is to learn Danish before ${word}.`,
    () => 'I want to learn Danish.',
  ],
  language: [
    (word) => `I speak Spanish with ${word}.`,
    (word) => `I speak fluent Spanish thanks to ${word}.`,
    () => 'I speak Spanish.',
  ],
  allergy: [
    (word) => `I'm allergic to peanuts, as ${word} found out.`,
    (word) => `I'm allergic to peanuts from ${word}.`,
    () => "I'm allergic to peanuts.",
  ],
  birthday: [
    (word) => `I was born in ${word} in 1990.`,
    () => 'I was born in 1990.',
    (word) => `I am 36 years old, like ${word}.`,
  ],
};

/** Unique words, one for each turn. */
export const INVENTED = ['Quixotl', 'Zorbania', 'Vexmoor', 'Plinthorpe'] as const;
