import { join } from 'node:path';
import type { OidcSettings, Place, SamlSettings } from '../foreign-client.ts';
import { type Program, startProgram } from '../program.ts';

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

/** What the programs of an OpenID client find in their environment. */
export const oidcEnvironment = ({ issuer, clientId, clientSecret }: OidcSettings) => ({
  ISSUER: issuer,
  CLIENT_ID: clientId,
  CLIENT_SECRET: clientSecret,
});

/** What the programs of a service provider find in their environment. */
export const samlEnvironment = ({ idp, isSigning, binding, keys }: SamlSettings) => ({
  IDP: idp,
  SIGNING: String(isSigning),
  BINDING: binding,
  KEY: keys.privateKey,
  CERTIFICATE: keys.certificate,
});

export const oidcInNode =
  (name: string) =>
  (place: Place, settings: OidcSettings): Promise<Program> =>
    nodeProgram(name, place, oidcEnvironment(settings));

export const samlInNode =
  (name: string) =>
  (place: Place, settings: SamlSettings): Promise<Program> =>
    nodeProgram(name, place, samlEnvironment(settings));
