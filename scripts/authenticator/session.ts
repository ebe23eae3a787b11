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
import { type Actor, type CommonOptions, originOf } from './read-command.ts';
import { createTerminal, type Surface, type Terminal, UsageError } from './terminal.ts';

/** Dependencies shared by all commands. */
export interface Session {
  /** Portal origin. */
  url: string;
  authenticator: Authenticator;
  accounts: AccountFile;
  terminal: Terminal;
  /** Input that `watch` reads codes from. */
  stdin: NodeJS.ReadableStream;
  /** Calls the lab, sending LAB_TOKEN if it is set. */
  lab: PortalCall;
}

const DEFAULT_URL = 'http://localhost:3000';

/** Creates the session from the options and the environment. @throws UsageError */
export function openSession({ url: given, file, isJson }: CommonOptions, surface: Surface): Session {
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

/** Returns the headers for lab requests. @throws UsageError if LAB_TOKEN can't be sent in a header */
function labHeaders(token: string | undefined): Record<string, string> {
  try {
    return token ? bearer('LAB_TOKEN', token) : {};
  } catch (reason) {
    throw reason instanceof TypeError ? new UsageError(reason.message) : reason;
  }
}

/** Formats a device for display in messages. */
export const deviceLabel = ({ email, name, orgName }: DeviceState) => `${email ?? name} (${name}, ${orgName})`;

/**
 * Returns the device to act as: a seeded user's device with `--as`, otherwise the device stored here. `orgCode`
 * narrows the choice.
 * @throws UsageError unless exactly one device matches
 */
export async function selectDevice(session: Session, actor: Actor, orgCode?: string): Promise<DeviceState> {
  const org = actor.org ?? orgCode;
  if (actor.as) return await demoDevice(session, actor.as, actor.type, org);
  const stored = session.accounts.list().filter((device) => !org || device.orgCode === org);
  const wanted = actor.account?.toLowerCase();
  const matching = stored.filter(
    ({ zid, email, type }) =>
      (!wanted || zid.toLowerCase() === wanted || email === wanted) && (!actor.type || type === actor.type),
  );
  const [only] = matching;
  if (only && matching.length === 1) return only;
  if (only) {
    throw new UsageError(
      `Choose a device with --account:\n${matching.map((d) => `  ${d.zid}  ${deviceLabel(d)}`).join('\n')}`,
    );
  }
  const whose = wanted ? ` for ${actor.account}` : org ? ` of ${org}` : '';
  throw new UsageError(`No device${whose} is stored here for ${session.url}. Use activate, pair, or --as ADDRESS.`);
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
  if (orgs.length > 1)
    throw new UsageError(`${email} has devices in ${orgs.join(' and ')}. Choose an organisation with --org.`);
  const found = own.find((device) => device.type === (type ?? 'mobile')) ?? (type ? undefined : own[0]);
  if (!found)
    throw new UsageError(`No demo user with the email ${email} has ${type ? `a ${type}` : 'a'} device at ${url}.`);
  return found;
}
