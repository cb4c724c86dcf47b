import type { TurnReading } from '../../src/language-threads/rules.ts';
import type { Reasoner } from '../../src/reasoner/reasoner.ts';
import { graphql } from './generated/gql.ts';
import { say } from './samples/conversation.ts';
import type { Client, World } from './world.ts';

const FACTS = graphql(`
  query Facts($at: DateTime, $knownAt: DateTime, $key: String) {
    viewer {
      facts(first: 50, at: $at, knownAt: $knownAt, key: $key) {
        edges {
          node {
            id
            category
            key
            value
            statement
            polarity
            confidence
            active
            pinned
            origin
            mentions
            validFrom
            validTo
            lastVerifiedAt
            updatedAt
            turns {
              text
            }
            versions {
              change
            }
            history {
              value
              polarity
              active
              validFrom
              validTo
              supersededBy {
                id
              }
            }
          }
        }
      }
      factRefusals {
        key
        value
        reason
        confidence
        turn {
          text
        }
      }
      jobs(first: 20) {
        edges {
          node {
            step
            lastError
          }
        }
      }
      events(first: 100) {
        edges {
          node {
            kind
          }
        }
      }
    }
  }
`);

export const RECORD = graphql(`
  mutation RecordFact($input: RecordFactInput!) {
    recordFact(input: $input) {
      __typename
      ... on Fact {
        id
        value
        origin
        pinned
        confidence
      }
      ... on Error {
        message
      }
    }
  }
`);
export const RETRACT = graphql(`
  mutation RetractFact($factId: ID!) {
    retractFact(factId: $factId) {
      __typename
    }
  }
`);
export const RESTORE = graphql(`
  mutation RestoreFact($factId: ID!) {
    restoreFact(factId: $factId) {
      __typename
      ... on Error {
        message
      }
    }
  }
`);

/** Returns the facts of a user, now or at a date. */
export async function factsOf(
  client: Client,
  args: { at?: string; knownAt?: string; key?: string } = {},
) {
  const { viewer } = await client.execute(FACTS, args);
  if (!viewer) throw new Error('The user does not exist.');
  const failed = viewer.jobs.edges.filter(({ node }) => node.lastError);
  if (failed.length > 0) throw new Error(JSON.stringify(failed));
  const facts = viewer.facts.edges.map(({ node }) => node);
  return {
    facts,
    active: facts.map(({ key, value }) => `${key} = ${value}`),
    refusals: viewer.factRefusals,
    events: viewer.events.edges.map(({ node }) => node.kind),
  };
}

/** What is believed to be true in the middle of any of these months, as "Porto 2026-01-10..2026-03-10", in order of time. */
export async function spansOf(client: Client, months: readonly string[]): Promise<string[]> {
  const spans = new Map<string, string>();
  const day = (time: string | null | undefined) => time?.slice(0, 10) ?? '';
  for (const month of months) {
    const { facts } = await factsOf(client, { at: `${month}-15T00:00:00Z` });
    for (const { id, value, validFrom, validTo } of facts)
      spans.set(id, `${value} ${day(validFrom)}..${day(validTo)}`);
  }
  return [...spans.values()];
}

/** Adds that many interests to the facts of a user, as if they had been recorded by hand after the others. */
export async function addFacts(world: World, { userId }: Client, count: number): Promise<void> {
  const { pool } = world.ctx.db;
  await pool.query(
    `INSERT INTO facts (user_id, id, category, key, active_key, value, statement, polarity, confidence, importance, origin,
       valid_from, recorded_at, last_verified_at, updated_at)
     SELECT $1, last_fact + n, 'INTEREST', 'interest:game_' || n, 'interest:game_' || n, 'game ' || n, 'Likes game ' || n, 'POSITIVE',
       0.9, 0.5, 'HAND', now(), now(), now(), now() FROM users, generate_series(1, $2) n WHERE user_id = $1`,
    [userId, count],
  );
  await pool.query('UPDATE users SET last_fact = last_fact + $2 WHERE user_id = $1', [
    userId,
    count,
  ]);
}

/** Stores a turn and runs all background work. */
export async function sayFacts(world: World, client: Client, occurredAt: string, text: string) {
  await say(client, { channel: 'sms', turns: [{ text, occurredAt }] });
  await world.settle();
}

export const FORGET_FACT = graphql(`
  mutation ForgetFact($input: ForgetInput!) {
    forget(input: $input) {
      __typename
      ... on ForgottenCounts {
        turns
        facts
      }
    }
  }
`);

/** Returns readings of turns with lower confidence in their facts. */
export const unsure = (readings: readonly TurnReading[]): TurnReading[] =>
  readings.map(({ facts, ...reading }) => ({
    ...reading,
    facts: facts.map((fact) => ({ ...fact, confidence: 0.6, isCorrection: false })),
  }));

/** In place of a reasoner's own: every turn tells of itself, as a goal without a key. */
export const tellGoals: Reasoner['extractFacts'] = async ({ turns, contextTurns = 0 }) => ({
  facts: turns.slice(contextTurns).map(({ text }, index) => ({
    action: 'NEW',
    factId: 'a fact that nobody showed',
    category: 'GOAL',
    key: null,
    value: text,
    statement: text,
    polarity: 'POSITIVE',
    scope: null,
    confidence: 0.8,
    importance: 0.6,
    isCorrection: false,
    turn: contextTurns + index,
  })),
});
