export type ChannelKind = 'EXPLICIT' | 'IMPLICIT';

/** How a channel assigns turns to threads, and the silence after which a new thread begins. */
export type ChannelRule = { kind: ChannelKind; inactivityTimeoutMinutes: number | null };

/** The built-in channels: on explicit ones the person picks the thread, on implicit ones inactivity decides. */
const DEFAULT_KINDS: Readonly<Record<string, ChannelKind>> = {
  web: 'EXPLICIT',
  mobile: 'EXPLICIT',
  app: 'EXPLICIT',
  sms: 'IMPLICIT',
  whatsapp: 'IMPLICIT',
  telegram: 'IMPLICIT',
  email: 'IMPLICIT',
  voice: 'IMPLICIT',
};

/** The channel of turns that are remembered without one: an unknown name, so it is IMPLICIT unless a setting says otherwise. */
export const DEFAULT_CHANNEL = 'default';

/** The rule of a channel: the user's own, if there is one, else the deployment's, else the default; an unknown channel is IMPLICIT. */
export function channelRule(
  channel: string,
  own: ChannelRule | null | undefined,
  deployment: ReadonlyMap<string, ChannelRule>,
): ChannelRule {
  return (
    own ??
    deployment.get(channel) ?? {
      kind: DEFAULT_KINDS[channel] ?? 'IMPLICIT',
      inactivityTimeoutMinutes: null,
    }
  );
}
