import { join } from 'node:path';
import type { OidcSettings, SamlSettings, Workspace } from '../foreign-client.ts';
import { type Program, startProgram } from '../program.ts';
import { oidcEnvironment, samlEnvironment } from './environment.ts';

/** Starts a program from the folder `node`. @param env variables in addition to the address */
export function nodeProgram(name: string, { folder, url, port, nodePrograms }: Workspace, env: Record<string, string>) {
  return startProgram({
    command: process.execPath,
    args: [join(nodePrograms, `${name}.mjs`)],
    cwd: folder,
    env: { ...env, URL: url, PORT: String(port) },
    ready: `${url}/`,
  });
}

export const oidcNodeProgram =
  (name: string) =>
  (workspace: Workspace, settings: OidcSettings): Promise<Program> =>
    nodeProgram(name, workspace, oidcEnvironment(settings));

export const samlNodeProgram =
  (name: string) =>
  (workspace: Workspace, settings: SamlSettings): Promise<Program> =>
    nodeProgram(name, workspace, samlEnvironment(settings));
