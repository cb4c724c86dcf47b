import { expect, it } from 'vitest';
import { createLoad } from '../../src/observability/load.ts';

it('the load is high while requests come and the event loop is hardly ever idle', () => {
  const loop = { idle: 0, active: 0 };
  const load = createLoad(() => ({ ...loop }));
  const pass = (idle: number, active: number) => {
    loop.idle += idle;
    loop.active += active;
    return load.isHigh();
  };
  expect(pass(0, 1_000), 'background work alone').toBe(false);
  load.enter();
  expect(pass(500, 500), 'a request, and time left').toBe(false);
  load.leave();
  load.enter();
  expect(pass(0, 100), 'too short to be measured').toBe(false);
  expect(pass(10, 190), 'a request, and no time left').toBe(true);
  load.leave();
  expect(pass(100, 0), 'as measured last').toBe(true);
  expect(pass(0, 1_000), 'no further request').toBe(false);
});
