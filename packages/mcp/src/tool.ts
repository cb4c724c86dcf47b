import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Access } from './ask.ts';
import { visibleIn } from './text.ts';
import type { Given } from './zone.ts';

/** What a tool answers: markdown for the model, and the same as data. */
type Answer<Output> = { markdown: string; data: Output };

type Shape = z.ZodObject;

/** One tool: what it is called, takes and gives, and what it does. */
export type Tool = {
  name: string;
  /** What a key must permit for the tool to be there. */
  needs: 'READ' | 'WRITE' | 'ALL';
  register(server: McpServer, access: Access): void;
};

type Definition<Input extends Shape, Output extends Shape> = {
  name: string;
  needs: Tool['needs'];
  description: string;
  hints: ToolAnnotations;
  input: Input;
  output: Output;
  run(input: z.output<Input>, access: Access): Promise<Answer<z.input<Output>>>;
};

/** Defines a tool. What the server refuses, it answers as an error that the model can read. */
export function defineTool<Input extends Shape, Output extends Shape>(
  definition: Definition<Input, Output>,
): Tool {
  const { name, needs, description, hints, input, output, run } = definition;
  return {
    name,
    needs,
    register(server, access) {
      const config = {
        description,
        annotations: { openWorldHint: false, ...hints },
        inputSchema: input,
        outputSchema: output,
      };
      server.registerTool(
        name,
        config as never,
        (async (given: z.output<Input>) => {
          try {
            const { markdown, data } = await run(given, access);
            return {
              content: [{ type: 'text', text: markdown }],
              structuredContent: visibleIn(data),
            };
          } catch (error) {
            return refusalOf(error);
          }
        }) as never,
      );
    },
  };
}

function refusalOf(error: unknown): CallToolResult {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (!(error instanceof Error) || typeof code !== 'string') throw error;
  return { isError: true, content: [{ type: 'text', text: `${message} (${code})` }] };
}

/** A list. Some hosts send it as a text of JSON, or a single text. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.preprocess((given) => (typeof given === 'string' ? listIn(given) : given), z.array(item));

function listIn(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [text];
  } catch {
    return [text];
  }
}

const DAY = z.iso.date();
/** What may follow a day. The server itself writes a blank before the time, and no seconds. */
const TIME = /^[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** @param days how many days after the beginning of a day it means */
const givenTime = (days: number) =>
  z.string().transform((text, context): Given => {
    const [day, time] = [text.slice(0, 10), text.slice(10)];
    const [isTime, , , zone] = time === '' ? [time] : (TIME.exec(time) ?? []);
    const hour = time === '' ? '' : `T${time.slice(1)}`;
    const at = new Date(`${day}${hour}${time === '' || zone ? '' : 'Z'}`);
    if (!DAY.safeParse(day).success || isTime === undefined || Number.isNaN(at.getTime())) {
      context.addIssue(
        'must be a day or time in ISO 8601, such as 2026-03-02 or 2026-03-02T09:30:00Z',
      );
      return z.NEVER;
    }
    if (time === '') at.setUTCDate(at.getUTCDate() + days);
    return zone ? { moment: at.toISOString() } : { clock: at.getTime() };
  });

/** A moment, or the beginning of a day. Without a zone it is in that of the user. */
export const moment = givenTime(0);

/** The end of a span: a moment that no longer belongs to it, or a day that does. */
export const until = givenTime(1);
