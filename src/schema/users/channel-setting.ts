import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { configureChannel, resetChannel } from '../../remember/operations/configure.ts';
import { builder } from '../core/builder.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { userOf } from '../core/request-context.ts';
import { ChannelKindEnum } from '../core/scalars.ts';

const ChannelSettingType = builder.prismaObject('ChannelSetting', {
  description:
    "A user's own rule for a channel, made with `configureChannel`; it overrules the deployment's CHANNELS until `resetChannel` removes it.",
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the channel, such as "sms".' }),
    kind: t.expose('kind', {
      type: ChannelKindEnum,
      description:
        'Whether the caller must name the thread of a turn (EXPLICIT), or inactivity decides if none is named (IMPLICIT).',
    }),
    inactivityTimeoutMinutes: t.exposeInt('inactivityTimeoutMinutes', {
      nullable: true,
      description:
        'Minutes of silence after which a turn on this channel begins a new thread, and an implicit thread whose last turn is on it ' +
        'becomes idle; null means INACTIVITY_TIMEOUT_MINUTES. A timeout of the thread or of the user takes precedence. Explicit ' +
        'threads ignore it, so on an EXPLICIT channel it matters mostly for imports.',
    }),
  }),
});

const errors = { types: [InvalidInput, NotFound] };

builder.mutationField('configureChannel', (t) =>
  t.prismaField({
    type: ChannelSettingType,
    description:
      "Sets the user's own rule for a channel. It replaces the user's previous rule and overrules the deployment's CHANNELS. A " +
      'timeout that is left out is reset, unlike in `configureUser`.',
    errors,
    args: {
      userId: t.arg.string({
        description: describeOwner('The user to whose turns the rule applies'),
      }),
      name: t.arg.string({
        required: true,
        description:
          'The name of the channel, such as "kiosk": 1-50 letters (a-z), digits, ".", "_" or "-", first a letter or digit. Stored in lower case.',
      }),
      kind: t.arg({
        type: ChannelKindEnum,
        required: true,
        description:
          'Whether callers must name the thread of a turn on this channel (EXPLICIT), or inactivity decides if they name none.',
      }),
      inactivityTimeoutMinutes: t.arg.int({
        description:
          'Minutes of silence after which a turn on this channel begins a new thread, and an implicit thread whose last turn is on it ' +
          'becomes idle, 1-43200; INACTIVITY_TIMEOUT_MINUTES if null or left out. A timeout of the thread or of the user takes ' +
          'precedence. Explicit threads ignore it, so on an EXPLICIT channel it matters mostly for imports.',
      }),
    },
    resolve: async (query, _root, { userId, ...rule }, { app, viewer, prisma }) => {
      const owner = userOf(viewer, userId);
      const name = await configureChannel(app, owner, rule);
      return prisma.channelSetting.findUniqueOrThrow({
        ...query,
        where: { userId_name: { userId: owner, name } },
      });
    },
  }),
);

builder.mutationField('resetChannel', (t) =>
  t.prismaField({
    type: 'User',
    description:
      "Removes the user's own rule for a channel: the deployment's CHANNELS hold again from the next turn on. Changes nothing if there " +
      'is no such rule.',
    errors,
    args: {
      userId: t.arg.string({ description: describeOwner('The user whose rule is removed') }),
      name: t.arg.string({
        required: true,
        description: 'The name of the channel, in upper or lower case.',
      }),
    },
    resolve: async (query, _root, { userId, name }, { app, viewer, prisma }) => {
      const id = userOf(viewer, userId);
      await resetChannel(app, id, name);
      return prisma.user.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
);
