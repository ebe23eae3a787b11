import { type CodeKind, codeOf, type ServerMessage, type testDeviceLive } from '@orchestrate/shared';

export type TestDeviceMessage = ServerMessage<typeof testDeviceLive>;
export type TestedDevice = Extract<TestDeviceMessage, { op: 'test' }>['value']['device'];

/** The codes of one test: a scanned and a typed one, either of which completes it. */
export interface TestCodes {
  QID: string;
  DID: string;
  /** Their lifetime in seconds. */
  idTimeout: number;
}

/** The dialog's state. */
export interface TestDeviceSituation {
  /** The tab that is open. */
  kind: CodeKind;
  /** Undefined before the first test and while codes are being fetched. */
  codes: TestCodes | undefined;
  /** The live channel has replaced the fetched codes: only it knows the current ones. */
  isRenewed: boolean;
  isFetching: boolean;
  /** Why no codes could be fetched. */
  refusal: { text: string; requestId: string | undefined } | undefined;
  /** The last live message. */
  message: TestDeviceMessage | undefined;
  /** The server refused to follow this test any further. */
  isClosed: boolean;
}

export type TestDeviceView =
  | { step: 'intro' }
  | { step: 'fetching' }
  | { step: 'refused'; text: string; requestId: string | undefined }
  | { step: 'code'; value: string; secondsLeft: number; lifetime: number }
  | { step: 'expired'; value: string; lifetime: number }
  | { step: 'success'; device: TestedDevice };

/** What the test-device dialog shows (spec 1 §4). */
export function testDeviceView(situation: TestDeviceSituation): TestDeviceView {
  const { kind, codes, isRenewed, isFetching, refusal, message, isClosed } = situation;
  if (isFetching) return { step: 'fetching' };
  if (refusal) return { step: 'refused', ...refusal };
  if (!codes) return { step: 'intro' };
  const lifetime = codes.idTimeout;
  if (message?.op === 'test') return { step: 'success', device: message.value.device };
  if (isClosed || message?.resultCode === codeOf('EXPIRED')) return { step: 'expired', value: codes[kind], lifetime };
  if (message?.op === kind && message.value)
    return { step: 'code', value: message.value, secondsLeft: message.idTimeout ?? lifetime, lifetime };
  // The channel reports one code at a time; until it reports this one, the fetched one counts.
  if (!isRenewed) return { step: 'code', value: codes[kind], secondsLeft: message?.idTimeout ?? lifetime, lifetime };
  return { step: 'fetching' };
}
