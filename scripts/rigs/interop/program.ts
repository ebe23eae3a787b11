import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A running third-party program. */
export interface Program {
  /** Returns the program's output so far. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  command: string;
  args: readonly string[];
  cwd: string;
  env?: Readonly<Record<string, string>>;
  /** URL that returns a status below 500 when the program is ready. */
  ready?: string;
}

/** Time limit for starting a program, in milliseconds. */
const PATIENCE = 30_000;

/**
 * Starts a program and waits until it is ready. @throws Error with the program's last output if it exits before it is
 * ready
 */
export async function startProgram({ command, args, cwd, env, ready }: ProgramOptions): Promise<Program> {
  const file = join(cwd, `${command.split('/').at(-1)}-${Date.now()}.log`);
  const out = openSync(file, 'a');
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', out, out] });
  const over = once(child, 'exit');
  const log = () => readFile(file, 'utf8');
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await over;
  };
  const until = performance.now() + PATIENCE;
  while (ready !== undefined && !(await answers(ready))) {
    const isOver = child.exitCode !== null || child.signalCode !== null;
    if (!isOver && performance.now() < until) {
      await pause(50);
      continue;
    }
    await stop();
    throw new Error(`${command} did not start. ${(await log()).trim().split('\n').slice(-5).join(' ')}`);
  }
  return { log, stop };
}

const answers = (address: string): Promise<boolean> =>
  fetch(address, { redirect: 'manual' }).then(
    ({ status }) => status < 500,
    () => false,
  );

/** Combines programs that serve one site. The programs stop in reverse order. */
export function combinePrograms(...programs: readonly Program[]): Program {
  return {
    log: async () => (await Promise.all(programs.map((one) => one.log()))).join('\n'),
    async stop() {
      for (const program of programs.toReversed()) await program.stop();
    },
  };
}

export interface CommandOptions extends Omit<ProgramOptions, 'ready' | 'cwd'> {
  cwd?: string;
  /** The command's complete stdin. */
  input?: string;
}

const run = promisify(execFile);
/** Time limit for a command, in milliseconds. Long enough for devices, which poll every five seconds. */
const COMMAND_PATIENCE = 120_000;

function startRunning({ command, args, cwd, env, input = '' }: CommandOptions) {
  const options = { cwd, env: { ...process.env, ...env }, timeout: COMMAND_PATIENCE };
  const running = run(command, [...args], options);
  // Ignore the write error if the command has already exited.
  running.child.stdin?.on('error', () => {}).end(input);
  const both = ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr;
  return { child: running.child, written: running.then(both, both) };
}

/** Runs a command until it exits. @returns the command's output, even if the command fails */
export const runCommand = (options: CommandOptions): Promise<string> => startRunning(options).written;

/**
 * Starts a command and waits for its first line. @throws Error with the command's output if it exits without printing
 * a line
 */
export async function startCommand(options: CommandOptions): Promise<{ firstLine: string; written: Promise<string> }> {
  const { child, written } = startRunning(options);
  if (!child.stdout) throw new Error(`${options.command} has no stdout.`);
  const lines = createInterface(child.stdout);
  const firstLine = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    written.then((text) => Promise.reject(new Error(`${options.command} printed nothing. ${text}`))),
  ]);
  return { firstLine, written };
}
