import { z } from 'zod';
import { type Access, payloadOf, Refusal } from '../ask.ts';
import type { RecordFactMutation } from '../generated/graphql.ts';
import { factData, factLine } from '../lines.ts';
import { PIN_FACT, RECORD_FACT, RESTORE_FACT, RETRACT_FACT } from '../operations.ts';
import { CATEGORIES, factShape } from '../shapes.ts';
import { fenced } from '../text.ts';
import { defineTool, moment } from '../tool.ts';
import { momentOf, zoneOf } from '../zone.ts';

const input = z.object({
  id: z.string().optional(),
  action: z.enum(['retract', 'restore', 'pin', 'unpin']).optional(),
  statement: z.string().optional(),
  category: z.enum(CATEGORIES).optional(),
  value: z.string().optional(),
  key: z.string().optional(),
  valid_from: moment.optional(),
});

/** Corrects a fact, or records one. Nothing is erased: all of it can be undone. */
export const correctFact = defineTool({
  name: 'correct_fact',
  needs: 'WRITE',
  description:
    'Give `id` and `action`, or record a fact: `statement`, `category`, `value` (its core, like "Porto"); ' +
    'with the `key` of a former fact it takes its place.',
  hints: { readOnlyHint: false, destructiveHint: false },
  input,
  output: z.object({ fact: factShape, replaced: z.array(factShape) }),
  async run(given, access) {
    const { history, ...fact } = payloadOf(await corrected(given, access));
    const replaced = history.filter(({ supersededBy }) => supersededBy?.id === fact.id);
    const zone = await zoneOf(access);
    const earlier = replaced.map((each) => factLine(each, zone));
    const before = earlier.length > 0 ? ['Took the place of:', ...earlier] : [];
    return {
      markdown: fenced([factLine(fact, zone), ...before]),
      data: { fact: factData(fact), replaced: replaced.map(factData) },
    };
  },
});

async function corrected(
  { id, action, statement, category, value, key, valid_from }: z.output<typeof input>,
  access: Access,
): Promise<RecordFactMutation['result']> {
  const { ask, userId } = access;
  if (id !== undefined && action !== undefined) {
    if (action === 'retract') return (await ask(RETRACT_FACT, { userId, id })).result;
    if (action === 'restore') return (await ask(RESTORE_FACT, { userId, id })).result;
    return (await ask(PIN_FACT, { userId, id, pinned: action === 'pin' })).result;
  }
  if (id !== undefined || action !== undefined || !statement || !category) {
    const ways = 'Give either id and action, or statement, category and value.';
    throw new Refusal('INVALID_INPUT', ways);
  }
  const fact = { userId, statement, category, value: value ?? statement, key };
  const validFrom = await momentOf(valid_from, access);
  return (await ask(RECORD_FACT, { input: { ...fact, validFrom } })).result;
}
