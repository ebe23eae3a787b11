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

/** A code fetched for this dialog. Each tab has its own code. */
export interface AddDeviceCode {
  kind: CodeKind;
  aid: string;
  /** Code lifetime, in seconds from when it was fetched. */
  confirmExpDur: number;
  /** Time limit for typing the verification code, in seconds from when a device connected. */
  verifyExpDur: number;
}

/** Dialog state for one code. */
export interface AddDeviceSituation {
  /** Undefined while the code is being fetched. */
  code: AddDeviceCode | undefined;
  /** Reason why no code could be fetched. */
  refusal: { resultName: string | undefined; message: string; requestId: string | undefined } | undefined;
  /** Latest message on the code's live channel. */
  message: AddDeviceMessage | undefined;
  /** The user's answer, and the message it responds to. A newer message requires a new answer. */
  answer: { confirm: 'yes' | 'no'; to: AddDeviceMessage } | undefined;
  /** True if the server has closed the code's live channel for good. */
  isClosed: boolean;
}

export type AddDeviceView =
  | { step: 'fetching' }
  | { step: 'refused'; text: string; requestId: string | undefined }
  | { step: 'limit-reached' }
  /** The organisation disabled this device type after it was offered. */
  | { step: 'switched-off' }
  | { step: 'start'; code: AddDeviceCode }
  | {
      step: 'notify';
      code: AddDeviceCode;
      deviceName: string;
      /** Remaining time to answer, in seconds. For a typed code, the time restarts when the device connects. */
      secondsLeft: number;
      /** True while the portal hasn't responded to the answer yet. */
      isAnswered: boolean;
    }
  | { step: 'failed'; code: AddDeviceCode; deviceName: string; text: string }
  | { step: 'cancelled'; code: AddDeviceCode }
  | { step: 'complete'; deviceName: string; timestamp: string; confirmation?: Confirmation | undefined }
  /** `text` explains why the code ended, unless it simply expired. */
  | { step: 'code-expired'; code: AddDeviceCode; text: string | undefined };

const nameIn = ({ deviceName }: AddDeviceMessage) => deviceName || t`A new device`;

/**
 * Returns what the add-device dialog displays (spec 1 §4). Every message contains the whole state, so only the latest
 * message matters.
 */
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
  // Both times come from the server, so this device's clock doesn't matter.
  const secondsLeft = expiresAt ? (Date.parse(expiresAt) - Date.parse(timestamp)) / SECOND : expected;
  return { step: 'notify', code, deviceName: nameIn(message), secondsLeft, isAnswered };
}

/** Any confirmation error expires the code (spec 1 §4), except a wrong verification code, which can be retried. */
function afterConfirm(code: AddDeviceCode, message: AddDeviceMessage): AddDeviceView {
  const { resultCode } = message;
  if (resultCode === 0) return notify(code, message, true);
  if (resultCode === codeOf('INVALID_VALIDATION_CODE'))
    return { step: 'failed', code, deviceName: nameIn(message), text: resultOf('INVALID_VALIDATION_CODE').sentence };
  const name = resultNameOf(resultCode);
  return { step: 'code-expired', code, text: name && name !== 'EXPIRED' ? resultOf(name).sentence : undefined };
}

/** Labels for the stepper. `stepOf` returns the step of a view. */
export const ADD_DEVICE_STEPS = [t`Connect`, t`Confirm`, t`Done`] as const;

export function stepOf({ step }: AddDeviceView): 0 | 1 | 2 {
  if (step === 'complete') return 2;
  return step === 'notify' || step === 'failed' || step === 'cancelled' ? 1 : 0;
}
