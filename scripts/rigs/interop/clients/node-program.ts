import { join } from 'node:path';
import type { OidcSettings, Place, SamlSettings } from '../foreign-client.ts';
import { type Program, startProgram } from '../program.ts';
import { oidcEnvironment, samlEnvironment } from './environment.ts';

/** Starts a program of the folder `node`. @param env besides the address */
export function nodeProgram(name: string, { folder, url, port, nodePrograms }: Place, env: Record<string, string>) {
  return startProgram({
    command: process.execPath,
    args: [join(nodePrograms, `${name}.mjs`)],
    cwd: folder,
    env: { ...env, URL: url, PORT: String(port) },
    ready: `${url}/`,
  });
}

export const oidcInNode =
  (name: string) =>
  (place: Place, settings: OidcSettings): Promise<Program> =>
    nodeProgram(name, place, oidcEnvironment(settings));

export const samlInNode =
  (name: string) =>
  (place: Place, settings: SamlSettings): Promise<Program> =>
    nodeProgram(name, place, samlEnvironment(settings));
