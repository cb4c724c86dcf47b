import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerProcess } from '../../support/server-process.ts';
import { call } from './call.ts';

/** The measurements of a server process since the last reading. */
export type Vitals = {
  /** The maximum and the 99th percentile of its event loop delay, in milliseconds; null if it did not answer. */
  delayMax: number | null;
  delayP99: number | null;
  /** The peak of its resident memory, in MB. */
  peakMegabytes: number;
  /** The mean number of busy cores over all its threads. */
  cores: number;
};

/** The interval of the timer that measures delays, in milliseconds: it is subtracted from each delay. */
const RESOLUTION = 10;
/** On Linux, the same on every machine on which Node runs. */
const TICKS_A_SECOND = 100;
/** Resets the peak of resident memory, see proc(5). */
const RESET_PEAK = '5';

const LAG = {
  max: /^nodejs_eventloop_lag_max_seconds (\S{1,40})/m,
  p99: /^nodejs_eventloop_lag_p99_seconds (\S{1,40})/m,
};

/** Watches a server. Each reading covers the time since the one before. */
export function watchVitals({ url, pid, apiKey }: Pick<ServerProcess, 'url' | 'pid' | 'apiKey'>) {
  let since = performance.now();
  let spent = processorSeconds(pid);
  return async (): Promise<Vitals> => {
    const { status, text } = await call(url, apiKey, { path: '/metrics', method: 'GET' });
    const delayOf = (name: keyof typeof LAG) => {
      const value = LAG[name].exec(text)?.[1];
      return status === 200 && value ? Math.max(0, Number(value) * 1000 - RESOLUTION) : null;
    };
    const seconds = (performance.now() - since) / 1000;
    const used = processorSeconds(pid) - spent;
    since = performance.now();
    spent += used;
    return {
      delayMax: delayOf('max'),
      delayP99: delayOf('p99'),
      peakMegabytes: takePeak(pid),
      cores: used / seconds,
    };
  };
}

function processorSeconds(pid: number): number {
  // The name of the program, in parentheses, may contain spaces.
  const fields = readProc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_A_SECOND;
}

function takePeak(pid: number): number {
  const peak = Number(/^VmHWM:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? 0) / 1024;
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK);
  } catch {
    // If that is not allowed, or the process has exited, the peak is that since its start.
  }
  return peak;
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has exited.
    return '';
  }
}
