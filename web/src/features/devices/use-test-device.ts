import { type CodeKind, testDevice, testDeviceLive } from '@orchestrate/shared';
import { useState } from 'react';
import { now } from '../../adapters/clock.ts';
import { ApiRefusal } from '../../lib/api/api-refusal.ts';
import { useLive } from '../../lib/api/use-live.ts';
import { useWrite } from '../../lib/api/use-write.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { useSession } from '../../lib/session/session.ts';
import { type TestCodes, testDeviceView } from './test-device-view.ts';

/** Tells the server which client asks. */
const SOURCE = 'portal';

/** A test in progress: its codes, and when it began. */
interface Begun {
  codes: TestCodes;
  epoch: string;
  isRenewed: boolean;
}

/** Testing a device: fetches codes (GET device/test/{orgCode}) and follows them on the live channel. */
export function useTestDevice() {
  const org = useSession()?.orgId ?? '';
  const [kind, setKind] = useState<CodeKind>('QID');
  const [begun, setBegun] = useState<Begun>();
  const { run, isPending, refusal } = useWrite(testDevice);
  const live = useLive(testDeviceLive, begun ? { qid: begun.codes.QID, org, epoch: begun.epoch } : null);

  const generate = async () => {
    setBegun(undefined);
    try {
      const { qid, did, idTimeout } = await run({ params: { orgCode: org } });
      setBegun({ codes: { QID: qid, DID: did, idTimeout }, epoch: String(now()), isRenewed: false });
    } catch (failure) {
      // `refusal` shows it.
      if (!(failure instanceof ApiRefusal)) throw failure;
    }
  };

  /** Asks for the state of a code; an expired one is replaced by a fresh one. */
  const ask = (op: CodeKind, value: string | undefined) =>
    live.send({ op, value, org, source: SOURCE, action: 'TEST' });

  const choose = (next: CodeKind) => {
    setKind(next);
    if (begun) ask(next, begun.isRenewed ? undefined : begun.codes[next]);
  };

  /** A fresh code over the channel; a channel that closed or errored first needs fresh codes itself. */
  const renew = () => {
    if (!begun || live.connection !== 'open') return generate();
    setBegun({ ...begun, isRenewed: true });
    ask(kind, undefined);
    return Promise.resolve();
  };

  const view = testDeviceView({
    kind,
    codes: begun?.codes,
    isRenewed: begun?.isRenewed ?? false,
    isFetching: isPending,
    refusal: refusal && { text: resultText(refusal), requestId: refusal.requestId },
    message: live.message,
    isClosed: live.connection === 'closed',
  });
  return { view, kind, choose, generate, renew, isReconnecting: live.connection === 'reconnecting' };
}
