import { readdirSync, readFileSync } from 'node:fs';

/**
 * Linux reports CPU time to user space in hundredths of a second on every architecture (USER_HZ).
 */
const TICKS_PER_SECOND = 100;

interface ProcessStat {
  readonly parent: number;
  /** User and system time of all its threads, those that ended included. */
  readonly ticks: number;
  /**
   * The same of the processes it had started and that have ended, with theirs. Of a thread's: of
   * its whole process.
   */
  readonly endedTicks: number;
}

/**
 * The fields of /proc/PID/stat that matter here; undefined when the process is gone. See proc(5).
 */
function readStat(path: string): ProcessStat | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
  // The second field is the program's name in parentheses and may contain anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    parent: Number(fields[1]),
    ticks: Number(fields[11]) + Number(fields[12]),
    endedTicks: Number(fields[13]) + Number(fields[14]),
  };
}

/** A process and everything it has started. */
function processTree(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(`/proc/${name}/stat`);
    if (stat !== undefined) parents.set(Number(name), stat.parent);
  }
  const tree = [root];
  for (const member of tree) {
    for (const [pid, parent] of parents) if (parent === member) tree.push(pid);
  }
  return tree;
}

/**
 * CPU time of a process tree since its start in microseconds, user and system, all threads, members
 * that ended included.
 */
export function cpuTimeUs(root: number): number {
  let ticks = 0;
  for (const pid of processTree(root)) {
    const stat = readStat(`/proc/${pid}/stat`);
    if (stat !== undefined) ticks += stat.ticks + stat.endedTicks;
  }
  return (ticks * 1_000_000) / TICKS_PER_SECOND;
}

/** CPU time in microseconds of each thread of one process by the thread's name and number. */
export function threadTimesUs(pid: number): Map<string, number> {
  const times = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${thread}`;
    const stat = readStat(`${folder}/stat`);
    if (stat === undefined) continue;
    const name = readFileSync(`${folder}/comm`, 'utf8').trim();
    times.set(`${name} ${thread}`, (stat.ticks * 1_000_000) / TICKS_PER_SECOND);
  }
  return times;
}

/** CPU time that the whole machine has spent on anything since its start, in microseconds. */
export function machineBusyUs(): number {
  const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n');
  // user nice system idle iowait irq softirq steal …; see proc(5). Time stolen by other guests
  // disturbs as well.
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
  return ((ticks.reduce((sum, tick) => sum + tick, 0) - idle) * 1_000_000) / TICKS_PER_SECOND;
}

/** Resident memory of a process tree in bytes. */
export function residentBytes(root: number): number {
  return processTree(root).reduce((sum, pid) => sum + ownResidentBytes(pid), 0);
}

/** Resident memory of one process without those it has started, in bytes. */
export function ownResidentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
}

/** Open files a process may have (`ulimit -n`); the bench's children inherit it. */
export function openFilesMax(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 1024);
}
