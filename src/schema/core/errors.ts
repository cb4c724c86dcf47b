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
} from '../../domain/core/errors.ts';
import { builder } from './builder.ts';

const ErrorInterface = builder.interfaceRef<MemoryError>('Error').implement({
  description:
    "An expected failure, returned in place of a result. Nothing was changed, unless the description of the error's type says so. " +
    '`consolidate` and `importConversation` are exceptions: they keep the parts that they had finished. Fields that return no ' +
    'such type report it in `errors`, with its code as `extensions.code`; so is a failure of no such type, such as RATE_LIMITED.',
  fields: (t) => ({
    message: t.exposeString('message', {
      description:
        'A sentence for people: what went wrong, and what the caller can do about it, if anything.',
    }),
    code: t.exposeString('code', {
      description: 'A stable code for programs, such as INVALID_INPUT.',
    }),
  }),
});

const InputIssueType = builder.objectRef<InputIssue>('InputIssue').implement({
  description: 'One problem of an input: in which field it is, and what would be allowed.',
  fields: (t) => ({
    path: t.exposeString('path', {
      description:
        'The path to the offending argument or field, such as "title" or "input.turns.3.text". List positions count from 0.',
    }),
    message: t.exposeString('message', {
      description: 'What is wrong with this field and what is allowed.',
    }),
  }),
});

builder.objectType(InvalidInput, {
  name: 'InvalidInputError',
  description:
    'The input violates one or more rules. `issues` lists those that were found; others may be found once they are mended.',
  interfaces: [ErrorInterface],
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Always INVALID_INPUT.' }),
    message: t.exposeString('message', {
      description: 'All `issues` in one text, each with its path, separated by semicolons.',
    }),
    issues: t.expose('issues', {
      type: [InputIssueType],
      description: 'All problems that were found in the input.',
    }),
  }),
});

builder.objectType(NotFound, {
  name: 'NotFoundError',
  description:
    'No object with the given id is in the memory of the user or, as with API keys, in the deployment; or there is no user of ' +
    'the given name whom the caller may reach.',
  interfaces: [ErrorInterface],
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Always NOT_FOUND.' }),
    message: t.exposeString('message', {
      description:
        'Says what kind of object was not found, such as a thread, often with the id or name that was given.',
    }),
  }),
});

builder.objectType(ThreadClosed, {
  name: 'ThreadClosedError',
  description:
    'The thread is closed: it takes only turns that were said from its `startedAt` on and before its `lastActivityAt`.',
  interfaces: [ErrorInterface],
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Always THREAD_CLOSED.' }),
    message: t.exposeString('message', {
      description:
        'Says that the thread is closed, and what to do: name another thread, or open a new one.',
    }),
  }),
});

builder.objectType(IdempotencyConflict, {
  name: 'IdempotencyConflictError',
  description:
    'The idempotency key was already used for a turn with another text, role, speaker, channel, time or tool calls.',
  interfaces: [ErrorInterface],
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Always IDEMPOTENCY_CONFLICT.' }),
    message: t.exposeString('message', {
      description:
        'Names the path of the key that was used before for other content, and says what to do: use a new key for a new turn.',
    }),
    path: t.exposeString('path', {
      description: 'The path to the key, such as input.turns.3.idempotencyKey. Turns count from 0.',
    }),
  }),
});

builder.objectType(CursorInvalid, {
  name: 'CursorInvalidError',
  description:
    'The cursor of a subscription is malformed, belongs to another memory, or names an event later than the last one. ' +
    'Reported as an entry of `errors` with `extensions.code` CURSOR_INVALID.',
  interfaces: [ErrorInterface],
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Always CURSOR_INVALID.' }),
    message: t.exposeString('message', {
      description:
        "Says that the cursor does not belong to the user's events, and what to do: leave `after` out to start from now.",
    }),
  }),
});

builder.objectType(CursorExpired, {
  name: 'CursorExpiredError',
  description:
    'Some events after the cursor of a subscription were dropped, since they are older than EVENT_RETENTION_DAYS. ' +
    'Reported as an entry of `errors` with `extensions.code` CURSOR_EXPIRED.',
  interfaces: [ErrorInterface],
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Always CURSOR_EXPIRED.' }),
    message: t.exposeString('message', {
      description:
        'Says that some events after the cursor were dropped, and what to do: subscribe without `after`, then read the current state.',
    }),
  }),
});

builder.objectType(NothingToSynthesize, {
  name: 'NothingToSynthesizeError',
  description:
    'There is nothing to write a profile from, such as when there is no semantic memory and no fact that belongs in one. Earlier ' +
    'versions are kept; the current one is marked as `stale`.',
  interfaces: [ErrorInterface],
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Always NOTHING_TO_SYNTHESIZE.' }),
    message: t.exposeString('message', {
      description:
        'Says that there is no semantic memory, and no fact that belongs in a profile, to write one from.',
    }),
  }),
});

builder.objectType(ModelUnavailable, {
  name: 'ModelUnavailableError',
  description:
    'The language model cannot be used now: for example, it cannot be reached, it refuses the key, the tokens of the day are ' +
    'spent, or its reply could not be used.',
  interfaces: [ErrorInterface],
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Always MODEL_UNAVAILABLE.' }),
    message: t.exposeString('message', {
      description:
        "Says why the model could not be used, such as a rejected key, a rate limit, the day's tokens spent, or an unusable reply.",
    }),
    retryAt: t.expose('retryAt', {
      type: 'DateTime',
      description: 'The earliest time at which a new attempt makes sense.',
    }),
  }),
});

builder.objectType(Forbidden, {
  name: 'ForbiddenError',
  description: "The caller's credentials do not permit this operation.",
  interfaces: [ErrorInterface],
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Always FORBIDDEN.' }),
    message: t.exposeString('message', {
      description:
        'Says what the caller needs, such as an API key with access WRITE or ALL, or one that acts for all users.',
    }),
  }),
});
