import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { CommandFailed } from '../../../src/cli/support/run-command.ts';
import { ROLES } from '../../../src/shared/role.ts';

/** What a question is about; `none` if the conversations do not answer it. */
export const QUESTION_KINDS = [
  ...['fact', 'update', 'negation', 'time', 'decision', 'episode', 'multi', 'preference', 'skill'],
  'none',
] as const;

const expression = z.string().transform((source, issues) => {
  try {
    return new RegExp(source, 'i');
  } catch {
    issues.addIssue({ code: 'custom', message: `"${source}" is no regular expression` });
    return z.NEVER;
  }
});
const time = z.iso.datetime({ offset: true });
const turnNumber = z.int().min(1);
const pair = z.tuple([z.string(), z.string()]);

const turnSchema = z.object({ n: turnNumber, role: z.enum(ROLES), at: time, text: z.string() });
const conversationSchema = z.object({
  id: z.string(),
  channel: z.string().min(1),
  title: z.string().nullable(),
  turns: z.array(turnSchema).min(1),
});
const factSchema = z.object({
  statement: z.string(),
  value: z.array(expression).min(1),
  from: turnNumber,
  until: turnNumber.nullable(),
});
const keepSchema = z.object({
  turns: z.tuple([turnNumber, turnNumber]),
  why: z.string(),
  gist: z.array(expression),
});
const questionSchema = z.object({
  q: z.string().min(1),
  at: time,
  answer: z.array(expression),
  evidence: z.array(turnNumber),
  kind: z.enum(QUESTION_KINDS),
});

const chatSchema = z
  .object({
    id: z.string().min(1),
    timeZone: z.string(),
    conversations: z.array(conversationSchema).min(1),
    facts: z.array(factSchema),
    notFacts: z.array(expression),
    cuts: z.array(turnNumber),
    keep: z.array(keepSchema),
    links: z.array(pair),
    notLinks: z.array(pair),
    questions: z.array(questionSchema),
  })
  .check(({ value, issues }) => {
    const turns = new Set(value.conversations.flatMap((one) => one.turns.map(({ n }) => n)));
    const ids = new Set(value.conversations.map(({ id }) => id));
    const refuse = (path: (string | number)[], message: string) =>
      issues.push({ code: 'custom', input: value, path, message });
    const needTurn = (n: number, ...path: (string | number)[]) => {
      if (!turns.has(n)) refuse(path, `there is no turn ${n}`);
    };
    const needConversations = (name: 'links' | 'notLinks') => {
      for (const [at, linked] of value[name].entries())
        for (const id of linked)
          if (!ids.has(id)) refuse([name, at], `there is no conversation ${id}`);
    };
    for (const [at, n] of value.cuts.entries()) needTurn(n, 'cuts', at);
    for (const [at, { turns: ends }] of value.keep.entries())
      for (const n of ends) needTurn(n, 'keep', at, 'turns');
    for (const [at, { kind, answer }] of value.questions.entries())
      if ((kind === 'none') !== (answer.length === 0))
        refuse(['questions', at, 'answer'], 'is empty where the kind is "none", and only there');
    needConversations('links');
    needConversations('notLinks');
  });

/** The conversations of one person over weeks, and the labels of what should be derived from them. */
export type Chat = z.output<typeof chatSchema> & { file: string };
export type ChatConversation = Chat['conversations'][number];
export type ChatTurn = ChatConversation['turns'][number];
export type ChatQuestion = Chat['questions'][number];

/** Reads a labelled chat from a file. @throws CommandFailed with the file and the fields that are wrong */
export async function readChat(path: string): Promise<Chat> {
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new CommandFailed(`${path} cannot be read: ${cause.message}`, { cause });
  });
  return parseChat(path, text);
}

/** Parses a labelled chat. @throws CommandFailed with the file and the fields that are wrong */
export function parseChat(path: string, text: string): Chat {
  const result = chatSchema.safeParse(parseJson(path, text));
  if (result.success) return { ...result.data, file: basename(path) };
  const problems = result.error.issues.map(
    (issue) => `  ${issue.path.join('.') || 'the file'}: ${issue.message}`,
  );
  throw new CommandFailed([`${path} is no labelled chat:`, ...problems].join('\n'));
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CommandFailed(`${path} is no JSON: ${(cause as Error).message}`, { cause });
  }
}

/** Returns all turns of a person in the order they were said. */
export const turnsOf = ({ conversations }: Pick<Chat, 'conversations'>): ChatTurn[] =>
  conversations.flatMap(({ turns }) => turns).sort((a, b) => a.n - b.n);
