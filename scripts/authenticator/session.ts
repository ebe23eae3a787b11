import { bearer, virtualDevices } from '@orchestrate/shared';
import {
  type Authenticator,
  createAuthenticator,
  createPortalCall,
  type DeviceState,
  deviceOfVirtual,
  type PortalCall,
} from '@orchestrate/shared/authenticator';
import { type AccountFile, defaultFile, openAccountFile } from './account-file.ts';
import { WrongUse } from './exit.ts';
import { type Actor, originOf, type Surroundings } from './read-command.ts';
import { createTerminal, type Surface, type Terminal } from './terminal.ts';

/** What every command needs. */
export interface Session {
  /** Origin of the portal. */
  url: string;
  authenticator: Authenticator;
  accounts: AccountFile;
  terminal: Terminal;
  /** Where `watch` takes codes from. */
  stdin: NodeJS.ReadableStream;
  /** Calls of the lab, with its token where there is one. */
  lab: PortalCall;
}

const DEFAULT_URL = 'http://localhost:3000';

/** @throws WrongUse */
export function openSession({ url: given, file, isJson }: Surroundings, surface: Surface): Session {
  const { env } = surface;
  const url = given ?? originOf(env.PUBLIC_URL || DEFAULT_URL, 'PUBLIC_URL');
  return {
    url,
    authenticator: createAuthenticator({ baseUrl: url, now: Date.now }),
    accounts: openAccountFile(file ?? defaultFile(env), url),
    terminal: createTerminal(surface, isJson),
    stdin: surface.stdin,
    lab: createPortalCall({ baseUrl: url, headers: labHeaders(env.LAB_TOKEN) }),
  };
}

/** @throws WrongUse */
function labHeaders(token: string | undefined): Record<string, string> {
  try {
    return token ? bearer('LAB_TOKEN', token) : {};
  } catch (reason) {
    throw reason instanceof TypeError ? new WrongUse(reason.message) : reason;
  }
}

/** How messages name a device. */
export const labelOf = ({ email, name, orgName }: DeviceState) => `${email ?? name} (${name}, ${orgName})`;

/**
 * The device that acts: a seeded person's with `--as`, else the one stored here; `orgCode` narrows the choice.
 * @throws WrongUse where there is none, or more than one.
 */
export async function deviceOf(session: Session, actor: Actor, orgCode?: string): Promise<DeviceState> {
  const org = actor.org ?? orgCode;
  if (actor.as) return await demoDevice(session, actor.as, actor.type, org);
  const kept = session.accounts.list().filter((device) => !org || device.orgCode === org);
  const wanted = actor.account?.toLowerCase();
  const meant = kept.filter(
    ({ zid, email, type }) =>
      (!wanted || zid.toLowerCase() === wanted || email === wanted) && (!actor.type || type === actor.type),
  );
  const [only] = meant;
  if (only && meant.length === 1) return only;
  if (only) {
    throw new WrongUse(`Say which device with --account:\n${meant.map((d) => `  ${d.zid}  ${labelOf(d)}`).join('\n')}`);
  }
  const whose = wanted ? ` for ${actor.account}` : org ? ` of ${org}` : '';
  throw new WrongUse(`No device${whose} is kept here for ${session.url}. Use activate, pair, or --as ADDRESS.`);
}

async function demoDevice(
  { lab, url }: Session,
  email: string,
  type: Actor['type'],
  org: string | undefined,
): Promise<DeviceState> {
  const { devices } = await lab(virtualDevices, { query: { orgCode: org } });
  const own = devices.flatMap((virtual) => (virtual.primaryEmail === email ? (deviceOfVirtual(virtual) ?? []) : []));
  const orgs = [...new Set(own.map(({ orgCode }) => orgCode))].sort();
  if (orgs.length > 1) throw new WrongUse(`${email} has a device in ${orgs.join(' and ')}: say which one with --org.`);
  const found = own.find((device) => device.type === (type ?? 'mobile')) ?? (type ? undefined : own[0]);
  if (!found)
    throw new WrongUse(`No demo person with the address ${email} has ${type ? `a ${type}` : 'a'} device at ${url}.`);
  return found;
}
