import type { Job } from '../../db/generated/client.ts';
import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { retryJob } from '../../remember/operations/retry-job.ts';
import { builder } from '../core/builder.ts';
import { readGlobalId } from '../core/global-id.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { userOf } from '../core/request-context.ts';

const JobStateEnum = builder.enumType('JobState', {
  description: 'The state of a background job.',
  values: {
    WAITING: {
      description: 'It is due at `runAt`. It has not failed since its last success or `retryJob`.',
    },
    RUNNING: { description: 'A worker is running it.' },
    RETRYING: {
      description: 'It failed or was cut off, fewer than five times, and is due again at `runAt`.',
    },
    PARKED: {
      description:
        'It waits for a model that cannot be used now, for example because its server cannot be reached or refuses the key, or ' +
        "for the next day's token budget (UTC). It resumes by itself.",
    },
    DEAD: {
      description:
        'Its fifth attempt failed, and it waits for `retryJob`. Dead jobs of "embed-turns" are also tried when the server starts.',
    },
  },
});

const stateOf = (job: Job) => {
  if (job.deadAt) return 'DEAD';
  if (job.lockedBy) return 'RUNNING';
  if (job.parkedAt) return 'PARKED';
  return job.attempts > 0 ? 'RETRYING' : 'WAITING';
};

builder.prismaNode('Job', {
  description:
    'A background job: a request that a step of the background work looks for something to do. Finished jobs are removed.',
  id: {
    field: 'userId_step_subject',
    description:
      'Global id of the job. Pass it to `node`, or as `jobId` to `retryJob`. Once the job has finished, nothing is found by ' +
      'it, until the same step is queued again.',
  },
  nullable: true,
  fields: (t) => ({
    step: t.exposeString('step', {
      description: 'The pipeline step that the job runs, such as "embed-turns".',
    }),
    state: t.field({
      type: JobStateEnum,
      description: 'Whether the job waits, runs, retries, is parked or is dead.',
      resolve: (job) => stateOf(job),
    }),
    attempts: t.exposeInt('attempts', {
      description:
        'Attempts since the step last succeeded or `retryJob` was called, including one that is running. Those that ended ' +
        'because a model could not be used, or because the server shut down, do not count.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description:
        'Why the last attempt failed, or what the job waits for. Null if nothing went wrong since the step last succeeded, or ' +
        'since something was last forgotten, as an error may quote it.',
    }),
    runAt: t.expose('runAt', {
      type: 'DateTime',
      description: 'When the job is due; without meaning while it is running or dead.',
    }),
    deadAt: t.expose('deadAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the job was given up; null unless its state is DEAD.',
    }),
  }),
});

builder.mutationField('retryJob', (t) =>
  t.prismaField({
    type: 'Job',
    nullable: true,
    description:
      'Makes a dead, parked, retrying or waiting job due now. Returns NotFoundError if the job is running or has finished, ' +
      'and null if it runs and finishes before this call answers.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({
        description: describeOwner('The user to whose memory the job belongs'),
      }),
      jobId: t.arg.id({ required: true, description: 'The `id` of the job.' }),
    },
    resolve: async (query, _root, { userId, jobId }, { app, viewer, prisma }) => {
      const owner = userOf(viewer, userId);
      const parsed = readGlobalId(jobId);
      const [userPart, step, subject] = parsed?.typename === 'Job' ? parsed.key : [];
      const key = { userId: owner, step: String(step), subject: Number(subject) };
      if (
        userPart !== owner ||
        !(await retryJob(app, owner, { step: key.step, subject: key.subject }))
      ) {
        throw new NotFound('job', jobId);
      }
      return prisma.job.findUnique({ ...query, where: { userId_step_subject: key } });
    },
  }),
);
