import { setTimeout as sleep } from 'node:timers/promises';
import { type Confirmation, resultNameOf, resultOf, setUp as setUpPortal } from '@orchestrate/shared';
import { type DeviceState, type Pairing, PortalRefusal } from '@orchestrate/shared/authenticator';
import { describePlatform } from './describe-platform.ts';
import { WrongUse } from './exit.ts';
import { type CommandOf, readTarget } from './read-command.ts';
import { labelOf, type Session } from './session.ts';

const ASK_EVERY_MS = 1_000;

function keep({ accounts, terminal }: Session, device: DeviceState, confirmation?: Confirmation): void {
  accounts.keep(device);
  const { privateKeyJwk: _, ...known } = device;
  terminal.tell(`Registered ${labelOf(device)}.`, { event: 'registered', resultCode: 0, ...known, confirmation });
  if (confirmation) terminal.note(confirmationLine(confirmation));
  terminal.note(`Its key is kept in ${accounts.path}, readable by you alone.`);
}

const confirmationLine = ({ approvesFrom, matchNumber }: Confirmation): string =>
  matchNumber
    ? `To approve changes with it now, choose ${matchNumber} on your other device. Otherwise it can from ${approvesFrom}.`
    : `It can approve changes from ${approvesFrom}, or once you confirm it on another device.`;

export async function activate(session: Session, command: CommandOf<'activate'>): Promise<void> {
  const { org, email, code, name, type } = command;
  session.accounts.prepare();
  const { device, confirmation } = await session.authenticator.activate({
    orgCode: org,
    email,
    activationCode: code,
    device: { name, type, platform: describePlatform() },
  });
  keep(session, device, confirmation);
}

/** Makes the first administrator, with this device as their phone. */
export async function setUp(session: Session, command: CommandOf<'setup'>): Promise<void> {
  const { org, code, email, first, last, called, color, name } = command;
  session.accounts.prepare();
  const body = { code, orgCode: org, orgName: called, color, firstName: first, lastName: last, email };
  const { activationCode } = await session.lab(setUpPortal, { body });
  session.terminal.note(`${email} administers ${org}. The activation code ${activationCode} is used for this device.`);
  await activate(session, { command: 'activate', org, email, code: activationCode, name, type: 'mobile' });
}

export async function pair(session: Session, command: CommandOf<'pair'>): Promise<void> {
  const { authenticator, terminal } = session;
  session.accounts.prepare();
  const { name, type } = command;
  const pairing = await authenticator.pair({
    ...addDeviceCode(command),
    device: { name, type, platform: describePlatform() },
  });
  const { verificationCode, expiresAt, orgName } = pairing;
  terminal.tell(
    verificationCode
      ? `Type ${verificationCode} in the portal of ${orgName}.`
      : `Confirm in the portal of ${orgName} that you want to add "${name}".`,
    { event: 'pairing', resultCode: 0, orgName, verificationCode, expiresAt },
  );
  const { device, confirmation } = await confirmed(session, pairing);
  keep(session, device, confirmation);
}

interface RegisteredDevice {
  device: DeviceState;
  confirmation: Confirmation | undefined;
}

/** Waits until the portal has confirmed the device. @throws PortalRefusal if it declines */
async function confirmed({ authenticator }: Session, pairing: Pairing): Promise<RegisteredDevice> {
  for (;;) {
    const { status, resultCode, device, confirmation } = await authenticator.pairStatus(pairing);
    if (device) return { device, confirmation };
    if (status !== 'notify') {
      const reason = resultOf(resultNameOf(resultCode) ?? 'FAILED');
      throw new PortalRefusal({ status: 200, resultCode, resultName: reason.name, message: reason.sentence });
    }
    await sleep(ASK_EVERY_MS);
  }
}

function addDeviceCode({ target, org, aid }: CommandOf<'pair'>): { orgCode: string; aid: string } {
  const scanned = target === undefined ? null : readTarget(target);
  if (scanned?.kind === 'add-device') return { orgCode: scanned.orgCode, aid: scanned.aid };
  if (scanned && scanned.kind !== 'typed')
    throw new WrongUse('This QR code signs in or tests a device, it does not add one.');
  const code = scanned?.code ?? aid;
  if (!org || !code) throw new WrongUse('pair needs the address of a QR code, or --org and --aid.');
  return { orgCode: org, aid: code };
}
