import { z } from 'zod';
import { candidateFactSchema, FACT_CATEGORIES } from '../../../domain/facts/fact.ts';
import { DATES } from './person.ts';
import { fence, prompt, writeItems, writeTurns } from './prompt.ts';

const KEY = /^[a-z]+(?::[\p{Ll}\p{N}_.@+/-]+)+$/u;

/** Extracts facts and corrections from turns (requirements 9). */
export const extractFactsPrompt = prompt({
  step: 'extract-facts',
  task: `Find durable facts about the user in a conversation. The user is who speaks as USER.
Take only what the user says of himself or herself, or of people, pets and things near. Take nothing from ASSISTANT, TOOL or
SYSTEM turns, nothing that OTHER people say of themselves, nothing quoted, pasted, hypothetical, ironic, fictional or asked, no
passing states ("I'm tired"), no one-off requests ("just this once").
For each fact:
- action: NEW; REINFORCE: a known fact is said again; UPDATE: a known fact has another value now; INVALIDATE: a known fact no
  longer holds. factId: the id of that known fact, else null.
- category: ${FACT_CATEGORIES.join(', ')}.
- key:
  profile:name|full_name|nickname|pronouns|age|birthday|city|hometown|country|occupation|employer|school|language|timezone|email|phone|website;
  profile:pet:<name>:species|age|breed; person:<name, or relation if the name is unknown>:name|relation|age|city|occupation;
  preference:<object>; constraint:allergy|diet|availability|avoid:<object>; instruction:<topic>; interest:<object>; skill:<object>;
  goal:<object>. Objects are lower case, singular, joined by _. null if none fits. profile:* is IDENTITY, pets and persons are
  RELATIONSHIP, skill:* is EXPERIENCE.
- value: the thing itself, in the user's words ("Porto", "peanut").
- statement: one sentence in the third person ("The user lives in Porto.").
- polarity: NEGATIVE for what the user does not do, use, like or have, else POSITIVE. "Don't use", "hate" are PREFERENCE; "don't
  eat", "can't do Fridays" are CONSTRAINT.
- scope: where or when it holds, else null.
- confidence: 1 said plainly, 0.9 clear, 0.6 or less inferred. importance: 0.9 identity and safety, 0.7 lasting preferences, 0.3 minor.
- isCorrection: true if it corrects or changes what was said before.
- turn: the number of the USER turn that says it.
${DATES}
Fewer and right is better than many. None is fine.`,
  reply: z.object({ facts: z.array(candidateFactSchema).max(200) }),
  write: ({ turns, contextTurns, known, timeZone }, tokens) =>
    [
      fence(
        'known',
        known.length > 0
          ? writeItems(
              known.map(
                ({ id, key, polarity, statement }) =>
                  `id ${id}, ${key ?? 'no key'}, ${polarity}: ${statement}`,
              ),
              tokens / 3,
            )
          : '(nothing)',
      ),
      fence('turns', writeTurns(turns, (tokens * 2) / 3, { timeZone })),
      ...(contextTurns > 0
        ? [`Turns before ${contextTurns} are only context: take no facts from them.`]
        : []),
    ].join('\n'),
  check: ({ facts }, { turns }) =>
    facts.flatMap(({ turn }) => (turn < turns.length ? [] : [`there is no turn ${turn}`])),
  read: ({ facts }, { turns, contextTurns, known }) => ({
    facts: facts
      .filter(({ turn }) => turn >= contextTurns && turns[turn]?.role === 'USER')
      .map((fact) => {
        const isKnown = known.some(({ id }) => id === fact.factId);
        const key = fact.key !== null && KEY.test(fact.key) ? fact.key : null;
        // A model may name a fact that it was not shown: that candidate is new.
        return isKnown ? { ...fact, key } : { ...fact, key, action: 'NEW' as const, factId: null };
      }),
  }),
});
