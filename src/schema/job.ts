import type { Job } from '../db/generated/client.ts';
import { NotFound } from '../domain/errors.ts';
import { retryJob } from '../remember/retry-job.ts';
import { builder } from './builder.ts';
import { readGlobalId } from './global-id.ts';
import { userOf } from './request-context.ts';

const JobStateEnum = builder.enumType('JobState', {
  description: 'How a background step stands.',
  values: {
    WAITING: { description: 'To run at `runAt`.' },
    RUNNING: { description: 'A worker has it.' },
    RETRYING: { description: 'It failed and runs again at `runAt`.' },
    PARKED: {
      description:
        "It waits for a model's server that is away, or for the next day's tokens; it goes on by itself.",
    },
    DEAD: { description: 'It failed too often and waits for `retryJob`.' },
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
    'A background step that is due, planned, running or has failed. Finished ones are gone.',
  id: { field: 'userId_step_subject' },
  nullable: true,
  fields: (t) => ({
    step: t.exposeString('step', { description: 'What runs, such as "embed-turns".' }),
    state: t.field({
      type: JobStateEnum,
      description: 'How it stands.',
      resolve: (job) => stateOf(job),
    }),
    attempts: t.exposeInt('attempts', { description: 'Runs since it last succeeded.' }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'Why the last run failed or waits.',
    }),
    runAt: t.expose('runAt', { type: 'DateTime', description: 'When it is due.' }),
    deadAt: t.expose('deadAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it waits for a person.',
    }),
  }),
});

builder.mutationField('retryJob', (t) =>
  t.prismaField({
    type: 'Job',
    nullable: true,
    description:
      'Runs a dead or waiting step now. Null when it is done already by the time of the answer.',
    errors: { types: [NotFound] },
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
      jobId: t.arg.id({ required: true, description: 'The `id` of the step.' }),
    },
    resolve: async (query, _root, { userId, jobId }, { app, viewer, prisma }) => {
      const owner = userOf(viewer, userId);
      const named = readGlobalId(jobId);
      const [userPart, step, subject] = named?.typename === 'Job' ? named.key : [];
      const key = { userId: owner, step: String(step), subject: Number(subject) };
      if (userPart !== owner || !(await retryJob(app, owner, key.step, key.subject))) {
        throw new NotFound('job', jobId);
      }
      return prisma.job.findUnique({ ...query, where: { userId_step_subject: key } });
    },
  }),
);
