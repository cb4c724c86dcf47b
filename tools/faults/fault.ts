import type { ChatTexts } from '../support/chat-texts.ts';
import type { Cluster } from './cluster.ts';

/** What a fault gets to run with. */
type FaultSetting = {
  cluster: Cluster;
  random: () => number;
  chat: ChatTexts;
  /** How many calls of remember to send. */
  calls: number;
};

/** The result of a fault: the number of checks by kind, none of which may be 0, and a line for each problem. */
export type Finding = {
  checked: Record<string, number>;
  problems: string[];
  /** Why nothing was checked, if this machine does not allow it. That is no failure. */
  unchecked?: string;
};

export type Fault = (setting: FaultSetting) => Promise<Finding>;

/** Settings that keep servers from filling the screen with warnings. */
export const QUIET = { LOG_LEVEL: 'fatal' };
