import { t } from '@lingui/core/macro';
import {
  type addDeviceLive,
  type CodeKind,
  type Confirmation,
  codeOf,
  resultNameOf,
  resultOf,
  SECOND,
  type ServerMessage,
} from '@orchestrate/shared';

export type AddDeviceMessage = ServerMessage<typeof addDeviceLive>;

/** A code that was fetched for this dialog; each tab has its own. */
export interface AddDeviceCode {
  kind: CodeKind;
  aid: string;
  /** Seconds until the code expires, from when it was fetched. */
  confirmExpDur: number;
  /** Seconds for typing the verification code, from when a device connected. */
  verifyExpDur: number;
}

/** The dialog's state for one code. */
export interface AddDeviceSituation {
  /** Undefined while it is being fetched. */
  code: AddDeviceCode | undefined;
  /** Why no code could be fetched. */
  refusal: { resultName: string | undefined; message: string; requestId: string | undefined } | undefined;
  /** The last live message about this code. */
  message: AddDeviceMessage | undefined;
  /** The person's answer, and the message that it was given to; a newer message asks again. */
  answer: { confirm: 'yes' | 'no'; to: AddDeviceMessage } | undefined;
  /** The server refused to follow this code any further. */
  isClosed: boolean;
}

export type AddDeviceView =
  | { step: 'fetching' }
  | { step: 'refused'; text: string; requestId: string | undefined }
  | { step: 'limit-reached' }
  /** The organisation has switched off devices of this kind since it was offered. */
  | { step: 'switched-off' }
  | { step: 'start'; code: AddDeviceCode }
  | {
      step: 'notify';
      code: AddDeviceCode;
      deviceName: string;
      /** Time to answer, from now; for a typed code it starts again when the device connects. */
      secondsLeft: number;
      /** The answer is given, but its result has not arrived yet. */
      isAnswered: boolean;
    }
  | { step: 'failed'; code: AddDeviceCode; deviceName: string; text: string }
  | { step: 'cancelled'; code: AddDeviceCode }
  | { step: 'complete'; deviceName: string; timestamp: string; confirmation?: Confirmation | undefined }
  /** `text` says why, unless it simply expired. */
  | { step: 'code-expired'; code: AddDeviceCode; text: string | undefined };

const nameIn = ({ deviceName }: AddDeviceMessage) => deviceName || t`A new device`;

/** What the add-device dialog shows (spec 1 §4). Every message is the whole state, so only the last one counts. */
export function addDeviceView({ code, refusal, message, answer, isClosed }: AddDeviceSituation): AddDeviceView {
  if (refusal?.resultName === 'DEVICE_ADD_LIMIT_REACHED') return { step: 'limit-reached' };
  if (refusal?.resultName === 'AUTHENTICATOR_DISALLOWED') return { step: 'switched-off' };
  if (refusal) return { step: 'refused', text: refusal.message, requestId: refusal.requestId };
  if (!code) return { step: 'fetching' };
  if (answer?.confirm === 'no' && message?.respType !== 'complete') return { step: 'cancelled', code };
  if (!message) return isClosed ? { step: 'code-expired', code, text: undefined } : { step: 'start', code };

  switch (message.respType) {
    case 'start':
      return isClosed ? { step: 'code-expired', code, text: undefined } : { step: 'start', code };
    case 'notify':
      return notify(code, message, answer?.to === message);
    case 'confirm':
      return afterConfirm(code, message);
    case 'complete':
      return {
        step: 'complete',
        deviceName: nameIn(message),
        timestamp: message.timestamp,
        ...(message.confirmation && { confirmation: message.confirmation }),
      };
    case 'limit-reached':
      return { step: 'limit-reached' };
    case 'code-expired':
      return { step: 'code-expired', code, text: undefined };
  }
}

function notify(code: AddDeviceCode, message: AddDeviceMessage, isAnswered: boolean): AddDeviceView {
  const { expiresAt, timestamp } = message;
  const expected = code.kind === 'DID' ? code.verifyExpDur : code.confirmExpDur;
  // Both times are the server's, so a wrong clock here does not matter.
  const secondsLeft = expiresAt ? (Date.parse(expiresAt) - Date.parse(timestamp)) / SECOND : expected;
  return { step: 'notify', code, deviceName: nameIn(message), secondsLeft, isAnswered };
}

/** A confirm error marks the code expired (spec 1 §4), except a wrong verification code, which offers a retry. */
function afterConfirm(code: AddDeviceCode, message: AddDeviceMessage): AddDeviceView {
  const { resultCode } = message;
  if (resultCode === 0) return notify(code, message, true);
  if (resultCode === codeOf('INVALID_VALIDATION_CODE'))
    return { step: 'failed', code, deviceName: nameIn(message), text: resultOf('INVALID_VALIDATION_CODE').sentence };
  const name = resultNameOf(resultCode);
  return { step: 'code-expired', code, text: name && name !== 'EXPIRED' ? resultOf(name).sentence : undefined };
}

/** The three steps of the stepper, and the step that a view belongs to. */
export const ADD_DEVICE_STEPS = [t`Connect`, t`Confirm`, t`Done`] as const;

export function stepOf({ step }: AddDeviceView): 0 | 1 | 2 {
  if (step === 'complete') return 2;
  return step === 'notify' || step === 'failed' || step === 'cancelled' ? 1 : 0;
}
