import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { SEARCHED_CHARACTERS } from '../../domain/turns/turn.ts';
import type { ToolCall } from '../../shared/role.ts';
import { builder } from '../core/builder.ts';
import type { RequestContext } from '../core/request-context.ts';
import { asNode, jsonOf, type RowGiven } from '../core/rows.ts';
import { RoleEnum } from '../core/scalars.ts';
import { loadText, loadToolCalls } from './turn-contents.ts';

const ToolCallType = builder.objectRef<ToolCall>('ToolCall').implement({
  description: 'A tool that was called while a turn was made, as it was reported with the turn.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the called tool.' }),
    ok: t.exposeBoolean('ok', { description: 'Whether the tool succeeded.' }),
    result: t.string({
      nullable: true,
      description: 'What the tool returned, as text; null if no result was given.',
      resolve: (call) => call.result ?? null,
    }),
  }),
});

export const TurnNode = builder.prismaNode('Turn', {
  description: 'One utterance. Its words never change: they are kept until it is forgotten.',
  id: {
    field: 'userId_id',
    description:
      'Global id of the turn. Pass it to `node` or `explainMiss`, or as `turnId` to `forget`.',
  },
  nullable: true,
  fields: (t) => ({
    number: t.exposeInt('number', {
      description:
        'Position in its thread, from 1, in the order turns were said. A late or forgotten turn changes the numbers of those after it.',
    }),
    role: t.expose('role', { type: RoleEnum, description: 'Who said the turn.' }),
    speaker: t.exposeString('speaker', {
      nullable: true,
      description: 'The name of the speaker; null if none was given.',
    }),
    text: t.string({
      description: 'The text, word for word.',
      resolve: (turn, _args, context) => textOf(turn, context),
    }),
    readByRules: t.boolean({
      select: { unreadByRules: true },
      description:
        'False if the built-in rules took too long to read the text, and skip it from then on. The turn can still be found, and a model still reads it.',
      resolve: ({ unreadByRules }) => !unreadByRules,
    }),
    searchedCharacters: t.int({
      description:
        'How many characters of the text, from its beginning, keyword search covers: its length, at most 100,000. Others read ' +
        'less: semantic search at most `EmbeddingProfile.maxTokens` tokens, a model at most half of REASONER_INPUT_TOKENS (by ' +
        'default 4,000 tokens), the built-in rules mostly no more than 5,000 characters.',
      resolve: async (turn, _args, context) =>
        Math.min((await textOf(turn, context)).length, SEARCHED_CHARACTERS),
    }),
    channel: t.exposeString('channel', {
      description: 'The channel on which it was said, such as "sms".',
    }),
    toolCalls: t.field({
      type: [ToolCallType],
      description: 'Tools that were called while the turn was made.',
      resolve: async (turn, _args, context) =>
        turn.toolCalls === undefined
          ? loadToolCalls(context, turn)
          : (jsonOf<ToolCall[] | null>(turn.toolCalls) ?? []),
    }),
    occurredAt: t.expose('occurredAt', {
      type: 'DateTime',
      description: 'Event time: when the turn was said.',
    }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description: 'Receipt time: when the server received the turn.',
    }),
    thread: t.relation('thread', { description: 'The thread that the turn belongs to.' }),
  }),
});

/** Returns the text of a turn: as `remember` or `recall` returned it, otherwise loaded from the database. */
const textOf = async (
  turn: { userId: string; id: number; text?: string },
  context: RequestContext,
): Promise<string> => turn.text ?? loadText(context, turn);

/** A turn as `remember` or `recall` returns it: the columns that the schema shows. */
export type TurnFields = {
  id: number;
  threadId: number;
  number: number;
  text: string;
  occurredAt: Date;
};
export type TurnShape = typeof TurnNode.$inferType;

/** Types rows as turn nodes: rows without the long columns, or rows that our own SQL read. */
export const asTurns = (rows: readonly RowGiven<TurnShape>[]): TurnShape[] =>
  rows.map((row) => asNode(TurnNode, row));

/**
 * Returns turns that `remember` or `recall` returned, by id, with the relations that the query selects. This costs one
 * more statement if it selects any, otherwise none.
 * @param path the path from the field in `info` to the turns
 */
export async function withRelations(
  context: RequestContext,
  info: GraphQLResolveInfo,
  path: string[],
  userId: string,
  turns: readonly TurnFields[],
): Promise<Map<number, TurnShape>> {
  const query: object = queryFromInfo({ context, info, typeName: 'Turn', path });
  const wantsMore = Object.keys(query).length > 0 && turns.length > 0;
  const turnOf = new Map(turns.map((turn) => [turn.id, turn]));
  const rows = wantsMore
    ? await context.prisma.turn.findMany({
        ...query,
        where: { userId, id: { in: turns.map((turn) => turn.id) } },
      })
    : turns.map((turn) => ({ ...turn, userId }));
  return new Map(
    rows.map((turn) => [turn.id, asNode(TurnNode, { ...turnOf.get(turn.id), ...turn })]),
  );
}
