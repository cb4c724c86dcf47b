import { type GraphQLNamedType, getNamedType, isInputObjectType, isNonNullType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { dumpOf } from '../support/database/dump.ts';
import { keyFor } from '../support/keys.ts';
import { sayAt } from '../support/samples/conversation.ts';
import { createTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** A value that is valid for an input type, and names `userId` wherever a user is named. */
function sample(type: GraphQLNamedType, userId: string): unknown {
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const given = type.isOneOf ? fields.slice(0, 1) : fields.filter((f) => isNonNullType(f.type));
    return Object.fromEntries(
      given.map((field) => {
        const one =
          field.name === 'everythingOf' ? userId : sample(getNamedType(field.type), userId);
        return [field.name, String(field.type).includes('[') ? [one] : one];
      }),
    );
  }
  if ('getValues' in type) return type.getValues()[0]?.name;
  const scalars: Record<string, unknown> = {
    ...{
      Int: 1,
      Float: 0.5,
      Boolean: true,
      DateTime: '2026-03-02T08:00:00Z',
      ID: 'VHVybjpbImEiLDFd',
    },
  };
  return scalars[type.name] ?? 'text';
}

/** A mutation with valid arguments for a user. */
function operationFor(name: string, userId: string) {
  const field = schema.getMutationType()?.getFields()[name];
  const args = (field?.args ?? []).filter(
    (arg) => isNonNullType(arg.type) || arg.name === 'userId',
  );
  const head = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const given = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const variables = Object.fromEntries(
    args.map((arg) => [
      arg.name,
      arg.name === 'userId' ? userId : sample(getNamedType(arg.type), userId),
    ]),
  );
  const query = `mutation${head && `(${head})`} { answer: ${name}${given && `(${given})`} { __typename ... on Error { code message } } }`;
  return { query, variables };
}

const MUTATIONS = Object.keys(schema.getMutationType()?.getFields() ?? {});
const READ_REFUSAL = { __typename: 'ForbiddenError', code: 'FORBIDDEN' };

describe.each([
  ['for one memory', 'reader'],
  ['for all', null],
])('a READ key %s', (_name, userId) => {
  it('a READ key is refused every mutation of the schema, and changes nothing', async () => {
    await sayAt(await server.world.user('reader'), '08:00', 'My name is Rhea.');
    await server.world.settle();
    const { post } = await keyFor(server, userId, 'READ');
    const before = await dumpOf(server.world);
    expect(MUTATIONS.length).toBeGreaterThan(20);
    for (const name of MUTATIONS) {
      const { query, variables } = operationFor(name, 'reader');
      const { data, errors } = await post(query, variables);
      expect({ name, errors, answer: data?.answer }).toMatchObject({
        ...{ name, errors: undefined, answer: READ_REFUSAL },
      });
    }
    expect(await dumpOf(server.world)).toEqual(before);
  });

  it('a READ key may neither export nor import an archive', async () => {
    const { headers } = await keyFor(server, userId, 'READ');
    const exported = await fetch(`${server.origin}/export/reader`, { headers });
    expect(exported.status).toBe(403);
    const imported = await fetch(`${server.origin}/import/new-reader`, {
      ...{ method: 'POST', body: '{}\n' },
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
    });
    expect(imported.status).toBe(403);
  });

  it('a READ key reads, and its recalls record neither impressions nor accesses', async () => {
    const { post } = await keyFor(server, userId, 'READ');
    const { pool } = server.world.ctx.db;
    await pool.query('UPDATE facts SET last_accessed_at = NULL');
    const query = `query ($input: RecallInput!) {
      recall(input: $input) { ... on RecallPayload { facts { value } } } }`;
    const variables = { input: { userId: 'reader', query: 'What is my name?' } };
    const { data } = await post(query, variables);
    expect(data).toEqual({ recall: { facts: [{ value: 'Rhea' }] } });
    const { data: context } = await post(
      `query ($userId: String) { context(input: { userId: $userId, channel: "sms", message: "What is my name?" }) {
        ... on ContextPayload { facts { value } } } }`,
      { userId: 'reader' },
    );
    expect(context).toEqual({ context: { facts: [{ value: 'Rhea' }] } });
    // Accesses are noted beside the answer, once a day. Had one been noted before, that of the user now would not be.
    server.world.now = new Date(server.world.now.getTime() + 60_000);
    await (await server.world.user('reader')).post({ query, variables });
    const noted = async () =>
      (
        await pool.query(
          'SELECT last_accessed_at AS at FROM facts WHERE last_accessed_at IS NOT NULL',
        )
      ).rows;
    await expect.poll(noted).toEqual([{ at: server.world.now }]);
  });
});
