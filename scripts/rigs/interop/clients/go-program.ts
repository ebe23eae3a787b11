import { join } from 'node:path';
import { runCommand } from '../program.ts';

const PROGRAMS = join(import.meta.dirname, '../go');

/**
 * Builds a program from the folder `go` with Debian's Go packages. @param folder target folder
 * @returns its path
 */
export async function buildGoProgram(name: string, folder: string): Promise<string> {
  const program = join(folder, name);
  const env = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(folder, 'cache'), GOFLAGS: '' };
  await runCommand({ command: '/usr/bin/go', args: ['build', '-o', program, join(PROGRAMS, `${name}.go`)], env });
  return program;
}
