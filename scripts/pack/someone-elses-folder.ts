import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const isWindows = process.platform === 'win32';

export type Program = 'node' | 'npm' | 'npx' | 'bash';

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** A folder outside this repository that knows nothing of it, where a test does what somebody else would do. */
export interface SomeoneElsesFolder {
  path: string;
  write(file: string, text: string): Promise<void>;
  /**
   * Runs a program to its end, with this process's Node.js first in the path.
   * @param within a folder of this one
   */
  run(program: Program, args: string[], options?: { env?: NodeJS.ProcessEnv; within?: string }): Promise<Outcome>;
  remove(): Promise<void>;
}

export async function someoneElsesFolder(): Promise<SomeoneElsesFolder> {
  const path = await mkdtemp(join(tmpdir(), 'someone-else-'));
  // What this run has told its own programs, of the test runner for example, is not for others.
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST.*|TEST|NODE_ENV|NODE_OPTIONS|FORCE_COLOR)$/.test(name),
  );
  const base = {
    ...Object.fromEntries(kept),
    PATH: dirname(process.execPath) + delimiter + process.env.PATH,
    NO_COLOR: '1',
  };
  return {
    path,
    write: (file, text) => writeFile(join(path, file), text),
    run: async (program, args, { env, within = '.' } = {}) => {
      const command = isWindows && program.startsWith('np') ? `${program}.cmd` : program;
      const options = { cwd: join(path, within), env: { ...base, ...env }, shell: isWindows };
      try {
        return { code: 0, ...(await run(command, args, options)) };
      } catch (reason) {
        if (isEnded(reason)) return { code: reason.code, stdout: reason.stdout, stderr: reason.stderr };
        throw reason;
      }
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

const isEnded = (reason: unknown): reason is Outcome =>
  reason instanceof Error && 'code' in reason && typeof reason.code === 'number' && 'stdout' in reason;
