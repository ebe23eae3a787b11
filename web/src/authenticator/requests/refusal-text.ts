import { t } from '@lingui/core/macro';
import type { ResultName } from '@orchestrate/shared';
import { PortalRefusal, PortalUnreachable } from '@orchestrate/shared/authenticator';

/** A short title and the next step. */
export interface RefusalText {
  title: string;
  text: string;
}

const texts: Partial<Record<ResultName, RefusalText>> = {
  EXPIRED: {
    title: t`Expired`,
    text: t`This code has expired, or was cancelled or already used. Start again in your browser.`,
  },
  ID_DOESNOT_EXIST: {
    title: t`Code not found`,
    text: t`We don't recognise this code. Check it, or request a new one.`,
  },
  INVALID_VALIDATION_CODE: {
    title: t`Wrong number`,
    text: t`The number didn't match the one in your browser, so the sign-in was rejected. Start again in your browser.`,
  },
  FAILED: { title: t`Already answered`, text: t`This request has already been answered.` },
  DEVICE_INACTIVE: { title: t`This device is paused`, text: t`Enable it in the portal, then try again.` },
  DEVICE_NOT_TRUSTED: {
    title: t`This device is no longer registered`,
    text: t`It was deleted or reported lost. Remove the account from this phone and add it again.`,
  },
  DESKTOP_APP_REMOVED: {
    title: t`This device has been removed`,
    text: t`Remove the account from this phone and add it again.`,
  },
  USER_INACTIVE: { title: t`Account inactive`, text: t`Contact your organisation's administrator.` },
  SIGNATURE_MISMATCH: {
    title: t`Signature rejected`,
    text: t`The portal didn't accept this device's key. Remove the account from this phone and add it again.`,
  },
};

/** Returns the title and text for any failed authenticator call. Defaults to the message in the portal's response. */
export function refusalText(failure: unknown): RefusalText {
  if (failure instanceof PortalRefusal) {
    return texts[failure.resultName] ?? { title: t`Couldn't complete the request`, text: failure.message };
  }
  if (failure instanceof PortalUnreachable) {
    return { title: t`No connection`, text: t`Can't reach the portal. Check your connection and try again.` };
  }
  return { title: t`Something went wrong!`, text: t`Try again.` };
}
