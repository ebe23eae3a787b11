import { readFileSync } from 'node:fs';

/**
 * Matches package managers and their shells in a process list. None of them forwards signals to its child processes.
 */
const MANAGER = /(?:^|[\s/])(?:npm|npx|pnpm|yarn|bun)(?:[\s.]|$)/;
const SHELL = /^\S*sh -c /;
/** Matches a shell command that runs in the background and is meant to outlive its shell. */
const BACKGROUND = /(?<![&>])&(?![&>])/;
const LOOK_MS = 500;

interface Process {
  pid: number;
  parent: number;
  command: string;
}

/**
 * Finds the processes that started this one, e.g. npm and its shell for `npx orchestrate start`. Call it before the
 * portal reports that it is ready, because the portal can be stopped from then on.
 * @param isStartedByNpm true if a package manager started this process; otherwise the search is skipped
 * @returns the process IDs; empty on Windows
 */
export async function findStarters(isStartedByNpm: boolean): Promise<number[]> {
  if (!isStartedByNpm) return [];
  // Slim Linux images have no `ps`; macOS has no /proc.
  return startersOf(process.ppid, process.platform === 'linux' ? processOf : await listProcesses());
}

/** Reads a process's parent and command line on Linux (proc_pid_stat(5)). */
function processOf(pid: number): Process | undefined {
  try {
    // The program name is in parentheses and can itself contain parentheses.
    const [, parent] = /^\d+ \(.*\) \S (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { pid, parent: Number(parent), command };
  } catch {
    // The process has ended.
    return undefined;
  }
}

/** Lists all processes with `ps`. */
async function listProcesses(): Promise<(pid: number) => Process | undefined> {
  const { execFile } = await import('node:child_process');
  const listed = await new Promise<string>((resolve) => {
    execFile('ps', ['-A', '-o', 'pid,ppid,args'], { maxBuffer: 2 ** 24 }, (failed, out) => resolve(failed ? '' : out));
  });
  const found = [...listed.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(
    ([, pid, parent, command = '']) => [Number(pid), { pid: Number(pid), parent: Number(parent), command }] as const,
  );
  const processes = new Map<number, Process>(found);
  return (pid) => processes.get(pid);
}

/** Returns the process IDs of all ancestors up to the outermost package manager. */
function startersOf(parent: number, find: (pid: number) => Process | undefined): number[] {
  const starters: number[] = [];
  let found = 0;
  for (let at = find(parent); at; at = find(at.parent)) {
    const isShell = SHELL.test(at.command);
    if (isShell ? BACKGROUND.test(at.command) : !MANAGER.test(at.command)) break;
    starters.push(at.pid);
    if (!isShell) found = starters.length;
  }
  return starters.slice(0, found);
}

/**
 * Calls `end` once any of the processes that started this one has ended, for whatever reason (decision 018).
 * @returns a function that stops watching
 */
export function endWithStarters(starters: readonly number[], end: () => void): () => void {
  if (starters.length === 0) return () => undefined;
  const timer = setInterval(() => {
    // An ended parent stays in the process list until it is reaped, but `ppid` changes immediately.
    if (process.ppid !== starters[0] || !starters.every(isThere)) end();
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (reason) {
    // EPERM: the process exists but belongs to another user.
    return reason instanceof Error && 'code' in reason && reason.code === 'EPERM';
  }
}
