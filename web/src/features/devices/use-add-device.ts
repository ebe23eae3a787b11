import { type AppType, addDevice, addDeviceLive, type CodeKind, LIMITS, readJson, SECOND } from '@orchestrate/shared';
import { useEffect, useRef, useState } from 'react';
import { now } from '#adapters/browser.ts';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { useLive } from '#lib/api/use-live.ts';
import { useInvalidate } from '#lib/api/use-write.ts';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { PERSONAL_STORAGE_KEYS } from '#lib/session/personal-storage.ts';
import { useSession } from '#lib/session/session.ts';
import { type AddDeviceCode, type AddDeviceSituation, addDeviceView } from './add-device-view.ts';
import type { RunApproved } from './use-add-device-approval.ts';

const KEY = PERSONAL_STORAGE_KEYS.addDevice;

/** The code that this tab displays. A reload restores it, because requesting a new code would invalidate it. */
interface StoredCode {
  suid: string;
  mode: AppType;
  code: AddDeviceCode;
  /** Fetch time, in milliseconds. */
  at: number;
}

const storeCode = (stored: Omit<StoredCode, 'at'> | null): void =>
  writeStored(KEY, stored && JSON.stringify({ ...stored, at: now() }), 'sessionStorage');

/** Returns the user's stored code with its remaining time, or undefined if there is none. */
function readStoredCode(suid: string): StoredCode | undefined {
  const stored = readJson(readStored(KEY, 'sessionStorage')) as StoredCode | undefined;
  if (stored?.suid !== suid) return undefined;
  const secondsLeft = stored.code.confirmExpDur - (now() - stored.at) / SECOND;
  return { ...stored, code: { ...stored.code, confirmExpDur: Math.max(0, secondsLeft) } };
}

/** State of one code, all of which is replaced when another code is fetched. */
type Attempt = Pick<AddDeviceSituation, 'code' | 'refusal' | 'answer'>;

const NOTHING: Attempt = { code: undefined, refusal: undefined, answer: undefined };

/**
 * Adds a device. Fetches a code (POST device/add), follows its state on the live channel, and sends the user's answer
 * once a device has connected. Each `begin` abandons the previous code. `restored` is the code restored after a
 * reload.
 */
export function useAddDevice(run: RunApproved) {
  const suid = useSession()?.profile.suid ?? '';
  const invalidate = useInvalidate();
  const [restored] = useState(() => readStoredCode(suid));
  const [attempt, setAttempt] = useState<Attempt>({ ...NOTHING, code: restored?.code });
  const round = useRef(0);
  const restart = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { code } = attempt;

  const live = useLive(addDeviceLive, code ? { suid, aid: code.aid } : null);
  const { message } = live;
  const isClosed = live.connection === 'closed';
  const view = addDeviceView({ ...attempt, message, isClosed });

  const isComplete = view.step === 'complete';
  useEffect(() => {
    if (!isComplete) return;
    storeCode(null);
    void invalidate('Device Listing', 'Member Profile');
  }, [isComplete, invalidate]);

  useEffect(() => () => clearTimeout(restart.current), []);

  const start = async (mode: AppType, kind: CodeKind) => {
    round.current += 1;
    const mine = round.current;
    setAttempt(NOTHING);
    const next = await fetchCode(run, { suid, mode, type: kind });
    // The user may have changed tabs. Discard the result for an earlier tab.
    if (round.current !== mine) return;
    if (next.code) storeCode({ suid, mode, code: next.code });
    setAttempt({ ...NOTHING, ...next });
  };

  const send = (confirm: 'yes' | 'no', validationCode?: string) => {
    if (code)
      live.send({ action: 'add-device', type: 'confirm', aid: code.aid, confirm, timestamp: now(), validationCode });
  };
  const answer = (confirm: 'yes' | 'no', validationCode?: string) => {
    if (!message) return;
    send(confirm, validationCode);
    setAttempt({ ...attempt, answer: { confirm, to: message } });
  };
  const confirm = (validationCode?: string) => answer('yes', validationCode);

  const isWaitedFor = view.step === 'notify';

  /** Abandons the code, then calls `next`: immediately, or after a second if a waiting device had to be rejected. */
  const giveUp = (next: () => void) => {
    clearTimeout(restart.current);
    storeCode(null);
    round.current += 1;
    if (!isWaitedFor) return next();
    answer('no');
    restart.current = setTimeout(next, LIMITS.addDeviceRestartMs);
  };
  const begin = (mode: AppType, kind: CodeKind) => giveUp(() => void start(mode, kind));
  const reset = () => giveUp(() => setAttempt(NOTHING));

  /** Called when the dialog closes, because no device must be left waiting. */
  const leave = () => {
    storeCode(null);
    if (isWaitedFor) send('no');
  };

  const isReconnecting = live.connection === 'reconnecting';
  return { restored, view, isReconnecting, begin, confirm, reset, leave };
}

async function fetchCode(
  run: RunApproved,
  wanted: { suid: string; mode: AppType; type: CodeKind },
): Promise<Partial<Attempt>> {
  try {
    const { aid, confirmExpDur, verifyExpDur } = await run((approvalId) =>
      call(addDevice, { body: { ...wanted, approvalId } }),
    );
    const code: AddDeviceCode = { kind: wanted.type, aid, confirmExpDur, verifyExpDur };
    return { code };
  } catch (failure) {
    const { resultName, requestId } = failure instanceof ApiRefusal ? failure : {};
    return { refusal: { resultName, message: resultText(failure), requestId } };
  }
}
