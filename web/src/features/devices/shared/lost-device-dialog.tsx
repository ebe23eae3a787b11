import { chakra, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import {
  type ActivationData,
  type AppType,
  type Device,
  deleteDevice,
  emailActivationCode,
  type Member,
  type OrgLoginOptions,
  type Profile,
  replaceDevice,
} from '@orchestrate/shared';
import { useState } from 'react';
import { appSwitchObstacle, useOrgLoginOptions } from '#features/settings/shared/login-options.ts';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useInvalidate, useWrite } from '#lib/api/use-write.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { hasPermission, signOut, useSession } from '#lib/session/session.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { Checkbox } from '#ui/form/checkbox.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { CodeDisplay } from '#ui/text/code-display.tsx';
import type { DevicePermissions } from './device-permissions.ts';
import { deviceLabel } from './device-rules.ts';

/** How the owner of a lost device can get the next device. */
interface NextDevice {
  /** Another device with which the owner can sign in and add the next device. */
  remaining: Device | undefined;
  /** App for which an activation code can be emailed to the owner; absent if there is none. */
  app: AppType | undefined;
}

interface Loss {
  device: Device;
  /** All of the owner's registered devices. */
  devices: readonly Device[];
  owner: Member;
  /** Profile of the user reporting the loss. */
  profile: Profile | undefined;
  permissions: DevicePermissions;
  organisation: OrgLoginOptions | undefined;
}

function nextDeviceAfter({ device, devices, owner, profile, permissions, organisation }: Loss): NextDevice {
  const others = devices.filter(({ zid, status }) => zid !== device.zid && status === 'active');
  const isPossible: Record<AppType, boolean> = {
    // An owner with another active phone gets no code, because they can add the next phone themselves.
    mobile: owner.hasPermissionForMobileApp && !others.some(({ type }) => type === 'mobile'),
    desktop: owner.hasPermissionForWindowsApp,
  };
  const wanted: AppType = device.type === 'desktop' ? 'desktop' : 'mobile';
  const maySend = permissions.mailCode[wanted].every((permission) => hasPermission(profile, permission));
  const isThere = owner.accountStatus !== 'inactive' && owner.accountStatus !== 'deleted';
  const isOn = appSwitchObstacle(wanted, organisation) === undefined;
  return { remaining: others[0], app: isPossible[wanted] && isOn && maySend && isThere ? wanted : undefined };
}

interface LostDeviceDialogProps {
  /** All of the owner's registered devices. */
  devices: readonly Device[];
  owner: Member;
  /** The lost device. If absent, the user chooses it in the dialog. */
  device?: Device | undefined;
  permissions: DevicePermissions;
  isOpen: boolean;
  onClose: () => void;
  onExitComplete?: () => void;
}

interface Reported {
  title: string;
  code: ActivationData;
}

/**
 * Reports a device lost, emails its owner a code for the next device, and shows the next steps. Even if the device
 * was removed in the meantime, the dialog still offers the code.
 */
export function LostDeviceDialog({ devices, owner, permissions, ...dialog }: LostDeviceDialogProps) {
  const profile = useSession()?.profile;
  const { data: organisation } = useOrgLoginOptions();
  const [chosen, setChosen] = useState(() => dialog.device ?? mostLikelyLost(devices));
  const [wantsCode, setWantsCode] = useState<boolean>();
  const [reported, setReported] = useState<Reported>();
  const lose = useWrite(deleteDevice);
  const replace = useWrite(replaceDevice);
  const mail = useWrite(emailActivationCode);
  const [isGone, setIsGone] = useState(false);
  const invalidate = useInvalidate();
  if (!chosen) return null;

  const isSelf = profile?.suid === owner.suid;
  const isSignIn = chosen.zid === profile?.zid;
  const next = nextDeviceAfter({ device: chosen, devices, owner, profile, permissions, organisation });
  const sendsCode = next.app !== undefined && (wantsCode ?? (!isSelf || !next.remaining));
  const label = deviceLabel(chosen);
  const refusal = lose.refusal ?? replace.refusal ?? mail.refusal;

  const report = async (): Promise<ActivationData | undefined> => {
    const ids = { zid: chosen.zid, suid: owner.suid };
    if (isGone && next.app) {
      const { primaryEmail: email, primaryAttr } = owner;
      return mail.run({ body: { email, primaryAttr, sendEmail: true, type: next.app } });
    }
    if (sendsCode && next.app) return replace.run({ body: { ...ids, type: next.app } });
    await lose.run({ body: { ...ids, action: 'LOST_DEVICE' } });
    return undefined;
  };
  const confirm = async () => {
    const isAskedFirst = !isGone;
    lose.reset();
    replace.reset();
    mail.reset();
    try {
      const code = await report();
      if (isSignIn || !code) {
        toast.success(
          code
            ? t`${label} was reported lost. Activation code sent to ${owner.primaryEmail}`
            : t`${label} was reported lost`,
        );
        dialog.onClose();
      } else setReported({ title: isGone ? t`Activation code sent` : t`${label} was reported lost`, code });
      // The server has ended this session, so any other call would fail.
      if (isSignIn) signOut();
      else await invalidate('Device Listing', 'Member Profile', 'Member Login History');
    } catch (failure) {
      // The dialog displays all other refusals.
      if (!isAskedFirst || !(failure instanceof ApiRefusal) || failure.resultName !== 'ID_DOESNOT_EXIST') return;
      lose.reset();
      replace.reset();
      setIsGone(true);
      await invalidate('Device Listing', 'Member Profile', 'Member Login History');
    }
  };

  return (
    <ConfirmDialog
      isOpen={dialog.isOpen}
      onClose={dialog.onClose}
      onExitComplete={dialog.onExitComplete}
      onConfirm={() => void confirm()}
      title={reported?.title ?? (isGone ? t`${label} has already been removed` : t`Report ${label} lost?`)}
      verb={isGone ? t`Send code` : sendsCode ? t`Report lost and send code` : t`Report lost`}
      isDestructive={!isGone}
      isPending={lose.isPending || replace.isPending || mail.isPending}
      error={refusal && resultText(refusal)}
      consequences={isGone ? GONE_CONSEQUENCES : CONSEQUENCES}
      done={
        reported ? (
          <WhatHappensNext owner={owner} isSelf={isSelf} code={reported.code} />
        ) : (
          isGone && !next.app && <NoCodeToSend next={next} isSelf={isSelf} />
        )
      }
    >
      {isGone && next.app && (
        <AlertLine tone="info">{t`You can still send a code for the next device. If there is a valid code, it is sent again.`}</AlertLine>
      )}
      {!isGone && !dialog.device && devices.length > 1 && (
        <FormField label={t`Lost device`}>
          <Select
            value={chosen.zid}
            onChange={({ target }) => setChosen(devices.find(({ zid }) => zid === target.value))}
          >
            {devices.map((device) => (
              <option key={device.zid} value={device.zid}>
                {deviceLabel(device)}
              </option>
            ))}
          </Select>
        </FormField>
      )}
      {isSignIn && (
        <AlertLine tone="warning">{t`You're signed in with this device, so you'll be signed out here immediately.`}</AlertLine>
      )}
      {!isGone && next.app && (
        <Checkbox
          label={codeLabel(next.app, isSelf ? undefined : owner.primaryEmail)}
          isChecked={sendsCode}
          onChange={setWantsCode}
        />
      )}
      {!isGone && !sendsCode && <NextSteps next={next} isSelf={isSelf} isSignIn={isSignIn} />}
    </ConfirmDialog>
  );
}

const CONSEQUENCES = [
  t`It is removed and can never be used to sign in again.`,
  t`All sessions signed in with it end immediately.`,
  t`If you find it, add it as a new device.`,
];
const GONE_CONSEQUENCES = [
  t`It was removed in the meantime and can no longer be used to sign in.`,
  t`All sessions signed in with it have ended.`,
];

/** Displayed if the device was removed in the meantime and no code can be sent. */
function NoCodeToSend({ next, isSelf }: { next: NextDevice; isSelf: boolean }) {
  return (
    <Flex direction="column" gap="4">
      <NextSteps next={next} isSelf={isSelf} isSignIn={false} />
      <chakra.ul display="flex" flexDirection="column" gap="1.5" ps="4" color="fg.muted" listStyleType="disc">
        {GONE_CONSEQUENCES.map((consequence) => (
          <li key={consequence}>{consequence}</li>
        ))}
      </chakra.ul>
    </Flex>
  );
}

/**
 * Returns the label for emailing an activation code.
 * @param email the owner's address; undefined if the owner is the signed-in user
 */
function codeLabel(app: AppType, email: string | undefined): string {
  if (email === undefined)
    return app === 'mobile' ? t`Email me a code for the next phone` : t`Email me a code for the next computer`;
  return app === 'mobile'
    ? t`Email ${email} a code for the next phone`
    : t`Email ${email} a code for the next computer`;
}

/** Returns the device most likely to be lost: the only phone. */
function mostLikelyLost(devices: readonly Device[]): Device | undefined {
  return devices.find(({ type }) => type === 'mobile') ?? devices[0];
}

/** Explains how the owner can sign in without a code. */
function NextSteps({
  next: { remaining },
  isSelf,
  isSignIn,
}: {
  next: NextDevice;
  isSelf: boolean;
  isSignIn: boolean;
}) {
  const other = remaining && deviceLabel(remaining);
  if (!isSelf && other)
    return (
      <AlertLine tone="info">{t`They can still sign in with ${other} and use it to add the next device.`}</AlertLine>
    );
  if (!isSelf)
    return (
      <AlertLine tone="warning">{t`They'll have no device left to sign in with and will need an activation code.`}</AlertLine>
    );
  if (other)
    return (
      <AlertLine tone="info">
        {isSignIn
          ? t`Sign in with ${other}, then choose “Add device” for the next one.`
          : t`After that, choose “Add device” for the next one.`}
      </AlertLine>
    );
  return (
    <AlertLine tone="warning">
      {t`This is your only device. To sign in again, you'll need a new activation code from your administrator.`}
    </AlertLine>
  );
}

interface WhatHappensNextProps {
  owner: Member;
  isSelf: boolean;
  code: ActivationData;
}

function WhatHappensNext({ owner, isSelf, code: { activationCode, activationExpiry } }: WhatHappensNextProps) {
  return (
    <Flex direction="column" gap="4">
      {activationCode && <CodeDisplay code={activationCode} label={t`activation code`} size="lg" groupSize={3} />}
      <chakra.ol display="flex" flexDirection="column" gap="1.5" ps="5" color="fg.muted" listStyleType="decimal">
        <li>{t`The code was sent to ${owner.primaryEmail}. It is valid until ${formatDateTime(activationExpiry)}, for one device.`}</li>
        <li>
          {isSelf
            ? t`Install the authenticator on the next device, and activate it with your email address and this code.`
            : t`They install the authenticator on the next device, and activate it with their email address and this code.`}
        </li>
        <li>{t`After that, you can sign in as before.`}</li>
      </chakra.ol>
    </Flex>
  );
}
