/** One problem of an input: its path, and what is wrong and allowed. */
export type InputIssue = { path: string; message: string };

/** An error whose message is our own. It quotes no memory, so it can be logged. */
export abstract class OwnError extends Error {}

/** A setting refers to something that does not exist, or lacks another setting. The server cannot start. */
export class InvalidSetting extends OwnError {
  override readonly name = 'InvalidSetting';
  readonly code = 'INVALID_SETTING';
}

/**
 * An expected failure that the caller can act on. Any other error is a defect: it is logged, and the caller sees a masked
 * error; except ModelUnavailable, which `consolidate` and `synthesizeProfile` return, and which parks a background step.
 */
export abstract class MemoryError extends OwnError {
  /** A stable code for programs. */
  abstract readonly code: string;
}

/** The input is invalid; nothing was written. */
export class InvalidInput extends MemoryError {
  override readonly name = 'InvalidInput';
  readonly code = 'INVALID_INPUT';
  readonly issues: InputIssue[];
  constructor(issues: InputIssue[]) {
    super(issues.map((issue) => `${issue.path}: ${issue.message}`).join('; '));
    this.issues = issues;
  }
}

/** The named object does not exist or belongs to another user; the two cannot be distinguished. */
export class NotFound extends MemoryError {
  override readonly name = 'NotFound';
  readonly code = 'NOT_FOUND';
  constructor(what: string, id?: string) {
    super(id === undefined ? `There is no such ${what}.` : `There is no ${what} "${id}".`);
  }
}

/** The thread is closed: it takes only turns that were said between its first and its last. */
export class ThreadClosed extends MemoryError {
  override readonly name = 'ThreadClosed';
  readonly code = 'THREAD_CLOSED';
  constructor() {
    super('This thread is closed. Name another thread, or open a new one.');
  }
}

/** An idempotency key was used again with other content; nothing was written. */
export class IdempotencyConflict extends MemoryError {
  override readonly name = 'IdempotencyConflict';
  readonly code = 'IDEMPOTENCY_CONFLICT';
  readonly path: string;
  constructor(path: string) {
    super(
      `${path}: this idempotency key was used before for a turn with other content. Use a new key for a new turn.`,
    );
    this.path = path;
  }
}

/** The cursor does not belong to this user, is malformed, or lies beyond the last event. */
export class CursorInvalid extends MemoryError {
  override readonly name = 'CursorInvalid';
  readonly code = 'CURSOR_INVALID';
  constructor() {
    super(
      'This cursor does not belong to this user\'s events. Leave "after" out to start from now.',
    );
  }
}

/** Some events after this cursor are past their retention. */
export class CursorExpired extends MemoryError {
  override readonly name = 'CursorExpired';
  readonly code = 'CURSOR_EXPIRED';
  constructor() {
    super(
      'Some events after this cursor are past their retention. Subscribe without "after", then read the current state.',
    );
  }
}

/** A profile was requested, but there is no fact or semantic memory to make it from (requirements 10.11). */
export class NothingToSynthesize extends MemoryError {
  override readonly name = 'NothingToSynthesize';
  readonly code = 'NOTHING_TO_SYNTHESIZE';
  constructor() {
    super(
      'There is nothing yet that belongs in a profile: no such fact, and no semantic memory that says such a thing.',
    );
  }
}

/** The file is not an archive, or it was truncated or changed; nothing was written. */
export class InvalidArchive extends MemoryError {
  override readonly name = 'InvalidArchive';
  readonly code = 'INVALID_ARCHIVE';
  constructor(what: string) {
    super(`The archive cannot be imported: ${what}. Nothing was changed.`);
  }
}

/** An archive can only be imported into an empty memory. */
export class MemoryNotEmpty extends MemoryError {
  override readonly name = 'MemoryNotEmpty';
  readonly code = 'MEMORY_NOT_EMPTY';
  constructor(userId: string) {
    super(
      `The memory of "${userId}" is not empty, or has held something before. An archive can only be imported into a new user: name another one.`,
    );
  }
}

/** The caller may not do this. */
export class Forbidden extends MemoryError {
  override readonly name = 'Forbidden';
  readonly code = 'FORBIDDEN';
}

/** The answer would exceed the size limit. */
export class AnswerTooLarge extends MemoryError {
  override readonly name = 'AnswerTooLarge';
  readonly code = 'ANSWER_TOO_LARGE';
  constructor(bytes: number) {
    super(
      `The answer would have more than ${bytes.toLocaleString('en')} bytes. Ask for less at a time: ` +
        'smaller pages ("first", then "after"), fewer aliases, fewer fields. Changes that a mutation made are kept.',
    );
  }
}

/** The caller has disconnected, so nothing more is read. */
export class CallerGone extends MemoryError {
  override readonly name = 'CallerGone';
  readonly code = 'CALLER_GONE';
  constructor() {
    super('The caller hung up before the answer was ready.');
  }
}

const SEND_AGAIN =
  'Nothing that was acknowledged is lost. Send the request again, with the same idempotency keys for its turns.';

/** The caller may send the same request again after `retryAfter` seconds. */
export abstract class TryAgain extends MemoryError {
  readonly retryAfter: number;
  constructor(message: string, retryAfter: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfter = retryAfter;
  }
}

/** A rate limit was exceeded; nothing was done. */
export class RateLimited extends TryAgain {
  override readonly name = 'RateLimited';
  readonly code = 'RATE_LIMITED';
}

/** The database is unreachable, is starting, or has no space left. */
export class DatabaseUnavailable extends TryAgain {
  override readonly name = 'DatabaseUnavailable';
  readonly code = 'DATABASE_UNAVAILABLE';
  constructor(cause: unknown, what = 'The database cannot be used at the moment.') {
    super(`${what} ${SEND_AGAIN}`, 1, { cause });
  }
}

/** A connection or a lock was not available in time, or the queue is full. What was begun was rolled back. */
export class Busy extends TryAgain {
  override readonly name = 'Busy';
  readonly code = 'BUSY';
  constructor(retryAfter: number, options?: ErrorOptions) {
    super(`The server is busy with earlier requests. ${SEND_AGAIN}`, retryAfter, options);
  }
}

/** The input of a step changed before it could store its result. The step starts again. */
export class Overtaken extends MemoryError {
  override readonly name: string = 'Overtaken';
  readonly code: string = 'OVERTAKEN';
  constructor(message = 'The data that this step read has changed since. The step starts again.') {
    super(message);
  }
}

/** The user has forgotten something since a step began. Thrown by units of work only (see `since` in memory.ts). */
export class ErasedMeanwhile extends Overtaken {
  override readonly name = 'ErasedMeanwhile';
  override readonly code = 'ERASED_MEANWHILE';
  constructor() {
    super('The user has forgotten something since this step began. The step starts again.');
  }
}

/**
 * A model's server cannot be used now: it is unreachable, limits our rate or refuses our key, or the day's tokens are spent.
 * A background step is parked until `retryAt`, which costs it no attempt.
 */
export class ModelUnavailable extends OwnError {
  override readonly name = 'ModelUnavailable';
  readonly code = 'MODEL_UNAVAILABLE';
  readonly retryAt: Date;
  constructor(message: string, retryAt: Date, options?: ErrorOptions) {
    super(message, options);
    this.retryAt = retryAt;
  }
}

/** A model's server accepted the request but failed to answer it. Asking again may help. */
export class ModelFailed extends OwnError {
  override readonly name = 'ModelFailed';
  readonly code = 'MODEL_FAILED';
  /** The HTTP status of the failure; 408 if the server did not answer. */
  readonly status: number | null;
  /** The refused parameter, if the server names it. */
  readonly param: string | null;
  constructor(
    message: string,
    refusal: { status?: number | undefined; param?: string | null | undefined } = {},
  ) {
    super(message);
    this.status = refusal.status ?? null;
    this.param = refusal.param ?? null;
  }
}

/** A model's reply could not be used, even after it was asked to correct it. */
export class InvalidReply extends OwnError {
  override readonly name = 'InvalidReply';
  readonly code = 'INVALID_REPLY';
  /** The problems, without words of the model. */
  readonly problems: readonly string[];
  constructor(step: string, problems: readonly string[]) {
    super(`The model's reply to ${step} cannot be used: ${problems.join('; ')}.`);
    this.problems = problems;
  }
}

/** A background step exceeded its time limit. */
export class StepTimedOut extends OwnError {
  override readonly name = 'StepTimedOut';
  constructor(milliseconds: number) {
    super(`The step did not end within ${milliseconds / 1000} s (STEP_TIMEOUT_SECONDS).`);
  }
}
