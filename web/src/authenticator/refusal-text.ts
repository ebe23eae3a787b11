import type { ResultName } from '@orchestrate/shared';
import { AuthenticatorRefusal, PortalUnreachable } from '@orchestrate/shared/authenticator';

/** What to tell the person: a short title, and what can be done about it. */
export interface RefusalText {
  title: string;
  text: string;
}

const texts: Partial<Record<ResultName, RefusalText>> = {
  EXPIRED: { title: 'Expired', text: 'It has expired, or was already used. Start again in your browser.' },
  ID_DOESNOT_EXIST: { title: 'Code not found', text: 'This code is not known. Check it, or ask for a new one.' },
  INVALID_VALIDATION_CODE: {
    title: 'Wrong number',
    text: 'That was not the number in your browser, so the sign-in was rejected.',
  },
  FAILED: { title: 'Already answered', text: 'This request has already been answered.' },
  DEVICE_INACTIVE: { title: 'This device is paused', text: 'Enable it in the portal, then try again.' },
  DEVICE_NOT_TRUSTED: {
    title: 'This device is no longer known',
    text: 'It was deleted or reported lost. Remove the account from this phone and add it again.',
  },
  DESKTOP_APP_REMOVED: {
    title: 'This device has been removed',
    text: 'Remove the account from this phone and add it again.',
  },
  USER_INACTIVE: { title: 'Account disabled', text: 'Contact the Administrator of your organisation.' },
  SIGNATURE_MISMATCH: {
    title: 'Signature refused',
    text: 'The portal does not accept the key of this device. Remove the account from this phone and add it again.',
  },
};

/** Words for anything that a call of the device core can reject with; the portal's own sentence where we have none. */
export function refusalText(failure: unknown): RefusalText {
  if (failure instanceof AuthenticatorRefusal) {
    return texts[failure.resultName] ?? { title: 'Not possible', text: failure.message };
  }
  if (failure instanceof PortalUnreachable) {
    return { title: 'No connection', text: 'The portal cannot be reached. Check the network and try again.' };
  }
  return { title: 'Something went wrong!', text: 'Try again.' };
}
