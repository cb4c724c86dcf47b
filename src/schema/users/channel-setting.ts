import { builder } from '../core/builder.ts';
import { ChannelKindEnum } from '../core/scalars.ts';

export const ChannelSettingType = builder.prismaObject('ChannelSetting', {
  description:
    "A user's own rule for a channel, made with `configureChannel`; it overrules the deployment's CHANNELS.",
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
