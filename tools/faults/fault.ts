import type { ChatTexts } from '../support/chat-texts.ts';
import type { Cluster } from './cluster.ts';

/** What a fault is tried with. */
type FaultSetting = {
  cluster: Cluster;
  random: () => number;
  chat: ChatTexts;
  /** How many calls of remember to send. */
  calls: number;
};

/** What was seen: how many of what was checked, none of which may be 0, and all that did not hold. */
export type Finding = {
  checked: Record<string, number>;
  problems: string[];
  /** Why nothing was checked, where this machine does not allow it: that is no failure. */
  unchecked?: string;
};

export type Fault = (setting: FaultSetting) => Promise<Finding>;

/** Servers that warn of what is done to them would fill the screen. */
export const QUIET = { LOG_LEVEL: 'fatal' };
