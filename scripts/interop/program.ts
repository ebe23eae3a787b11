import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A running program of somebody else. */
export interface Program {
  /** What it has written so far. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  command: string;
  args: readonly string[];
  cwd: string;
  env?: Readonly<Record<string, string>>;
  /** It is ready when this address answers, and not that the server has an error. */
  ready?: string;
}

/** How long programs may take to start, in milliseconds. */
const PATIENCE = 30_000;

/** Starts a program and waits until it is ready. @throws with its last words where it ends before */
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

/** Programs that serve one site together: the last one that was started is stopped first. */
export function together(...programs: readonly Program[]): Program {
  return {
    log: async () => (await Promise.all(programs.map((one) => one.log()))).join('\n'),
    async stop() {
      for (const program of programs.toReversed()) await program.stop();
    },
  };
}
