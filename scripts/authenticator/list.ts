import { PortalRefusal } from '@orchestrate/shared/authenticator';
import { describeRequest } from './describe-request.ts';
import { NothingWaits } from './exit.ts';
import type { CommandOf } from './read-command.ts';
import { deviceOf, labelOf, type Session } from './session.ts';

/** Lists the devices stored here, or the named one, each with its waiting requests. */
export async function list(session: Session, command: CommandOf<'list'>): Promise<void> {
  const { accounts, authenticator, terminal, url } = session;
  const isNamed = command.as !== undefined || command.account !== undefined;
  const devices = isNamed ? [await deviceOf(session, command)] : accounts.list();
  if (devices.length === 0) throw new NothingWaits(`No device is kept in ${accounts.path} for ${url}.`);
  for (const device of devices) {
    const { privateKeyJwk: _, ...known } = device;
    try {
      const challenges = await authenticator.pending(device);
      const lines = challenges.map((challenge) => `\n  ${describeRequest(challenge, authenticator.portalNow())}`);
      terminal.tell(`${device.zid}  ${labelOf(device)}${lines.join('')}`, { ...known, challenges });
    } catch (failure) {
      if (!(failure instanceof PortalRefusal)) throw failure;
      const { resultCode, resultName, message } = failure;
      terminal.tell(`${device.zid}  ${labelOf(device)}\n  ${message}`, { ...known, resultCode, resultName, message });
    }
  }
}
