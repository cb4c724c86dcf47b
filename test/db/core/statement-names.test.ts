import { expect, it } from 'vitest';
import { statementNames } from '../../../src/db/core/scoped-prisma.ts';

it('a statement of the graph gets its name, under which connections prepare it, when it is sent again', () => {
  const nameOf = statementNames();
  const sent = ['SELECT 1', 'SELECT 2', 'SELECT 1', 'SELECT 1', 'SELECT 2'];
  const names = sent.map((sql) => nameOf({ sql }));
  expect(names).toEqual(['', '', 'graph-1', 'graph-1', 'graph-2']);
});

it('only so many statements get names, however many there are', () => {
  const nameOf = statementNames();
  const texts = Array.from({ length: 300 }, (_, number) => ({ sql: `SELECT ${number}` }));
  texts.map(nameOf);
  const names = texts.map(nameOf);
  expect(new Set(names).size).toBe(201);
  expect(texts.map(nameOf)).toEqual(names);
});
