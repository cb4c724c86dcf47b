import { readdirSync, readFileSync } from 'node:fs';

/** The resident memory of a process and its descendants, in MB (Linux). */
export function residentMegabytes(root: number): number {
  const parents = new Map<number, number>();
  const sizes = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const status = readStatus(name);
    const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    parents.set(Number(name), parent);
    sizes.set(Number(name), Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
  }
  const isOwn = (pid: number): boolean =>
    pid === root || (parents.has(pid) && isOwn(parents.get(pid) as number));
  return [...sizes].reduce((sum, [pid, size]) => sum + (isOwn(pid) ? size : 0), 0);
}

function readStatus(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // The process has exited since the folder was listed.
    return '';
  }
}
