import { expect, it } from 'vitest';
import { byToken, serveArchives, withRows } from '../../support/archive.ts';
import { graphql } from '../../support/generated/gql.ts';
import { decide } from '../../support/links.ts';
import { createWorld } from '../../support/world.ts';

const TUNE_OWN = graphql(`
  mutation TuneOwnLinking {
    tuneLinking(scope: USER) {
      __typename
      ... on TuningRun {
        decisions
      }
    }
  }
`);

it('ratings from an archive only tune the setting of their own user', async () => {
  await using world = await createWorld({ EMBEDDER: 'none', LINKING_TUNE_EVERY: '40' });
  await using server = await serveArchives(world);
  const { pool } = world.ctx.db;
  await decide(world, await world.user('forger'), 45);
  await pool.query(`UPDATE links SET outcome = 'INCORRECT', rated_at = $1`, [world.now]);
  const forged = await (await server.fetchArchive('forger', await byToken('forger'))).text();
  await pool.query('DELETE FROM links');

  const late = withRows(forged, (rows) =>
    rows.map((row) => row.replace(/"rated_at":"\d+/, '"rated_at":"2099')),
  );
  expect(await server.sendArchive('copy', await byToken('copy'), late)).toMatchObject({
    status: 422,
    body: { errors: [{ message: expect.stringContaining('rated_at: must lie between') }] },
  });

  const sent = await server.sendArchive('copy', await byToken('copy'), forged);
  expect(sent).toMatchObject({ status: 200, body: { imported: { link: 45 } } });
  await world.settle();
  expect((await pool.query('SELECT FROM tuning_runs')).rowCount).toBe(0);
  const { tuneLinking } = await (await world.user('copy')).execute(TUNE_OWN);
  expect(tuneLinking).toEqual({ __typename: 'TuningRun', decisions: 45 });
});
