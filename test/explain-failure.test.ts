import { expect, it } from 'vitest';
import { InvalidSetting } from '../src/domain/core/errors.ts';
import { explainFailure } from '../src/explain-failure.ts';

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code });

it.each([
  [new InvalidSetting('EMBEDDER needs a model.'), 'EMBEDDER needs a model.'],
  [
    withCode('EADDRINUSE', 'listen EADDRINUSE'),
    'The port is already in use. Set PORT to another one.',
  ],
  [
    withCode('ENOTFOUND', 'getaddrinfo ENOTFOUND db.test'),
    'The database at DATABASE_URL cannot be reached: getaddrinfo ENOTFOUND db.test.',
  ],
  // As for a host with two addresses.
  [withCode('ECONNREFUSED', ''), 'The database at DATABASE_URL cannot be reached.'],
  [
    new Error('Connection terminated unexpectedly'),
    'The database at DATABASE_URL cannot be reached: Connection terminated unexpectedly.',
  ],
  [
    withCode('28P01', 'password authentication failed for user "x"'),
    'The database at DATABASE_URL refused the connection: password authentication failed for user "x".',
  ],
  [
    withCode('3D000', 'database "x" does not exist'),
    'The database at DATABASE_URL refused the connection: database "x" does not exist.',
  ],
  [
    withCode('57P03', 'the database system is starting up'),
    'The database at DATABASE_URL refused the connection: the database system is starting up.',
  ],
  [
    withCode('42501', 'permission denied for schema public'),
    'The role of DATABASE_URL lacks a privilege: permission denied for schema public.',
  ],
  ['nothing like an error', 'nothing like an error'],
])('a failure that the operator can mend is one line: %s', (failure, line) => {
  expect(explainFailure(failure)).toBe(line);
});

it('a defect is shown with its stack', () => {
  const defect = withCode('ENOENT', 'no such file');
  expect(explainFailure(defect)).toBe(defect.stack);
});
