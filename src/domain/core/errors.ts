/** One problem of an input: where it is, what is wrong and what is allowed. */
export type InputIssue = { path: string; message: string };

/** An error in our own words: they quote no memory, and can be logged. */
export abstract class OwnError extends Error {}

/** A setting names what is not there, or lacks what it needs; the server cannot start with it. */
export class InvalidSetting extends OwnError {
  override readonly name = 'InvalidSetting';
  readonly code = 'INVALID_SETTING';
}

/**
 * An expected failure that the caller can act on. Everything else is a defect: it is logged and
 * the caller sees a masked error.
 */
export abstract class MemoryError extends OwnError {
  /** Stable, for programs. */
  abstract readonly code: string;
}

/** The input breaks a rule; nothing was written. */
export class InvalidInput extends MemoryError {
  override readonly name = 'InvalidInput';
  readonly code = 'INVALID_INPUT';
  readonly issues: InputIssue[];
  constructor(issues: InputIssue[]) {
    super(issues.map((issue) => `${issue.path}: ${issue.message}`).join('; '));
    this.issues = issues;
  }
}

/** What was named does not exist, or belongs to somebody else: the two are not told apart. */
export class NotFound extends MemoryError {
  override readonly name = 'NotFound';
  readonly code = 'NOT_FOUND';
  constructor(what: string, id?: string) {
    super(id === undefined ? `There is no such ${what}.` : `There is no ${what} "${id}".`);
  }
}

/** The thread was closed for good; it takes no further turns. */
export class ThreadClosed extends MemoryError {
  override readonly name = 'ThreadClosed';
  readonly code = 'THREAD_CLOSED';
  constructor() {
    super('This thread is closed. Name another thread, or open a new one.');
  }
}

/** An idempotency key came a second time with other content; nothing was written. */
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

/** The cursor is not one of this user's. */
export class CursorInvalid extends MemoryError {
  override readonly name = 'CursorInvalid';
  readonly code = 'CURSOR_INVALID';
  constructor() {
    super('This cursor is not one of this user\'s events. Leave "after" out to start from now.');
  }
}

/** The events after this cursor are partly past their retention. */
export class CursorExpired extends MemoryError {
  override readonly name = 'CursorExpired';
  readonly code = 'CURSOR_EXPIRED';
  constructor() {
    super(
      'Events after this cursor are past their retention. Read the current state, then subscribe without "after".',
    );
  }
}

/** A profile was asked for, and there is neither a fact nor a semantic memory to make it of (requirements 10.11). */
export class NothingToSynthesize extends MemoryError {
  override readonly name = 'NothingToSynthesize';
  readonly code = 'NOTHING_TO_SYNTHESIZE';
  constructor() {
    super('There is no semantic memory and no fact to make a profile of.');
  }
}

/** A file is no archive of a memory, or it was cut or changed on its way; nothing was written. */
export class InvalidArchive extends MemoryError {
  override readonly name = 'InvalidArchive';
  readonly code = 'INVALID_ARCHIVE';
  constructor(what: string) {
    super(`The archive cannot be imported: ${what}. Nothing was changed.`);
  }
}

/** An archive is imported into a memory that holds nothing. */
export class MemoryNotEmpty extends MemoryError {
  override readonly name = 'MemoryNotEmpty';
  readonly code = 'MEMORY_NOT_EMPTY';
  constructor(userId: string) {
    super(
      `There is or was something in the memory of "${userId}". An archive goes into a user of whom nothing was ever remembered: name another one.`,
    );
  }
}

/** The caller may not do this. */
export class Forbidden extends MemoryError {
  override readonly name = 'Forbidden';
  readonly code = 'FORBIDDEN';
}

/** What was asked for is more than one answer may hold. */
export class AnswerTooLarge extends MemoryError {
  override readonly name = 'AnswerTooLarge';
  readonly code = 'ANSWER_TOO_LARGE';
  constructor(bytes: number) {
    super(
      `The answer would have more than ${bytes.toLocaleString('en')} bytes. Ask for less at a time: ` +
        'smaller pages ("first", then "after"), fewer aliases, fewer fields. What a mutation changed stays ' +
        'changed.',
    );
  }
}

/** Whoever asked is gone: nothing more is read for them. */
export class CallerGone extends MemoryError {
  override readonly name = 'CallerGone';
  readonly code = 'CALLER_GONE';
  constructor() {
    super('The caller hung up before the answer was ready.');
  }
}

/** The caller may try the same again, after `retryAfter` seconds at the earliest. */
export abstract class TryAgain extends MemoryError {
  readonly retryAfter: number;
  constructor(message: string, retryAfter: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfter = retryAfter;
  }
}

/** Too much of something in a given time; nothing was done. */
export class RateLimited extends TryAgain {
  override readonly name = 'RateLimited';
  readonly code = 'RATE_LIMITED';
}

/** The database is away, is starting, or has no room left. */
export class DatabaseUnavailable extends TryAgain {
  override readonly name = 'DatabaseUnavailable';
  readonly code = 'DATABASE_UNAVAILABLE';
  constructor(cause: unknown, what = 'The database cannot be used at the moment.') {
    super(
      `${what} Nothing acknowledged is lost: send this again, turns with the same idempotency keys.`,
      1,
      { cause },
    );
  }
}

/** It waited too long for a connection or a lock, or too many wait already; what was begun is undone. */
export class Busy extends TryAgain {
  override readonly name = 'Busy';
  readonly code = 'BUSY';
  constructor(retryAfter: number, options?: ErrorOptions) {
    super(
      'The server is busy with what came before. Nothing acknowledged is lost: send this again a little ' +
        'later, turns with the same idempotency keys.',
      retryAfter,
      options,
    );
  }
}

/** What a step has read changed before it could store what comes of it: the step starts anew. */
export class Overtaken extends MemoryError {
  override readonly name: string = 'Overtaken';
  readonly code: string = 'OVERTAKEN';
  constructor(message = 'What this step has read has changed since; it starts anew.') {
    super(message);
  }
}

/** The user has forgotten something since a step began. Only a unit of work finds that out (see `since` in memory.ts). */
export class ErasedMeanwhile extends Overtaken {
  override readonly name = 'ErasedMeanwhile';
  override readonly code = 'ERASED_MEANWHILE';
  constructor() {
    super('The user has forgotten something since this step began; it starts anew.');
  }
}

/**
 * A model's server cannot be asked now: it is away, it limits us, it refuses our key, or the day's
 * tokens are spent. A background step is parked until `retryAt`; that costs it no attempt.
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

/** A model's server took the request and did not do what was asked: asking again may help, or not. */
export class ModelFailed extends OwnError {
  override readonly name = 'ModelFailed';
  readonly code = 'MODEL_FAILED';
  /** The HTTP status of a refusal; 408 where the server stayed silent at this request. */
  readonly status: number | null;
  /** The parameter that was refused, if the server names it. */
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

/** A model answered a step with something that cannot be used, also when it was asked to mend it. */
export class InvalidReply extends OwnError {
  override readonly name = 'InvalidReply';
  readonly code = 'INVALID_REPLY';
  /** What is wrong, without the model's words. */
  readonly problems: readonly string[];
  constructor(step: string, problems: readonly string[]) {
    super(`The model's reply to ${step} cannot be used: ${problems.join('; ')}.`);
    this.problems = problems;
  }
}

/** A background step ran for longer than a step may. */
export class StepTimedOut extends OwnError {
  override readonly name = 'StepTimedOut';
  constructor(milliseconds: number) {
    super(`The step did not end within ${milliseconds / 1000} s (STEP_TIMEOUT_SECONDS).`);
  }
}
