import {
  CursorExpired,
  CursorInvalid,
  Forbidden,
  IdempotencyConflict,
  type InputIssue,
  InvalidInput,
  type MemoryError,
  ModelUnavailable,
  NotFound,
  NothingToSynthesize,
  ThreadClosed,
} from '../domain/errors.ts';
import { builder } from './builder.ts';

const ErrorInterface = builder.interfaceRef<MemoryError>('Error').implement({
  description: 'An expected failure. Nothing was changed.',
  fields: (t) => ({
    message: t.exposeString('message', {
      description: 'What was wrong and what to do, for people.',
    }),
    code: t.exposeString('code', { description: 'Stable, for programs, such as INVALID_INPUT.' }),
  }),
});

const InputIssueType = builder.objectRef<InputIssue>('InputIssue').implement({
  description: 'One problem of an input.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'The field, such as input.turns.3.text.' }),
    message: t.exposeString('message', { description: 'What was wrong and what is allowed.' }),
  }),
});

builder.objectType(InvalidInput, {
  name: 'InvalidInputError',
  description: 'The input breaks one or more rules.',
  interfaces: [ErrorInterface],
  fields: (t) => ({
    issues: t.expose('issues', { type: [InputIssueType], description: 'All problems found.' }),
  }),
});

builder.objectType(NotFound, {
  name: 'NotFoundError',
  description: 'What was named does not exist in this memory.',
  interfaces: [ErrorInterface],
});

builder.objectType(ThreadClosed, {
  name: 'ThreadClosedError',
  description: 'The thread was closed for good.',
  interfaces: [ErrorInterface],
});

builder.objectType(IdempotencyConflict, {
  name: 'IdempotencyConflictError',
  description: 'An idempotency key stands for other content already.',
  interfaces: [ErrorInterface],
  fields: (t) => ({
    path: t.exposeString('path', { description: 'The key, such as input.turns.3.idempotencyKey.' }),
  }),
});

builder.objectType(CursorInvalid, {
  name: 'CursorInvalidError',
  description: 'The cursor is not one of this memory.',
  interfaces: [ErrorInterface],
});

builder.objectType(CursorExpired, {
  name: 'CursorExpiredError',
  description: 'What follows the cursor is partly past its retention.',
  interfaces: [ErrorInterface],
});

builder.objectType(NothingToSynthesize, {
  name: 'NothingToSynthesizeError',
  description: 'There is no semantic memory to make a profile of.',
  interfaces: [ErrorInterface],
});

builder.objectType(ModelUnavailable, {
  name: 'ModelUnavailableError',
  description: 'The language model cannot do it now.',
  interfaces: [ErrorInterface],
  fields: (t) => ({
    retryAt: t.expose('retryAt', {
      type: 'DateTime',
      description: 'When to ask again at the earliest.',
    }),
  }),
});

builder.objectType(Forbidden, {
  name: 'ForbiddenError',
  description: 'The caller may not do this.',
  interfaces: [ErrorInterface],
});
