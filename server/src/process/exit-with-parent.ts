import { readFileSync } from 'node:fs';

/**
 * In a list of processes: package managers and the shells in which they start programs. None tells those when it is
 * ended.
 */
const MANAGER = /(?:^|[\s/])(?:npm|npx|pnpm|yarn|bun)(?:[\s.]|$)/;
const SHELL = /^\S*sh -c /;
/** Of a shell: what it puts in the background is meant to stay. */
const BACKGROUND = /(?<![&>])&(?![&>])/;
const LOOK_MS = 500;

interface Process {
  pid: number;
  parent: number;
  command: string;
}

/**
 * The processes that started this one for somebody: `npx orchestrate start` is a shell of npm's, and npm. They are
 * asked for before the portal says that it is ready, because from then on it may be ended.
 * @param isStartedByNpm whether a package manager started this process; where none did, nothing is looked for
 * @returns the numbers of the processes; none on Windows
 */
export async function findStarters(isStartedByNpm: boolean): Promise<number[]> {
  if (!isStartedByNpm) return [];
  // Slim images of Linux have no `ps`, and macOS has nothing else.
  return startersOf(process.ppid, process.platform === 'linux' ? processOf : await listProcesses());
}

/** One process of Linux, as proc_pid_stat(5) says. */
function processOf(pid: number): Process | undefined {
  try {
    // The program's name is in the brackets, and may have brackets of its own.
    const [, parent] = /^\d+ \(.*\) \S (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { pid, parent: Number(parent), command };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}

/** All processes, by `ps`. */
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

/** Up to the outermost package manager: what is beyond belongs to somebody else. */
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
 * Ends this process once one of those that started it has ended, however that was (decision 018).
 * @returns stops looking
 */
export function endWith(starters: readonly number[], end: () => void): () => void {
  if (starters.length === 0) return () => undefined;
  const timer = setInterval(() => {
    // A parent that nobody has asked about is still listed when it has ended, but no longer the parent.
    if (process.ppid !== starters[0] || !starters.every(isThere)) end();
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (reason) {
    // It is there, and belongs to somebody else.
    return reason instanceof Error && 'code' in reason && reason.code === 'EPERM';
  }
}
