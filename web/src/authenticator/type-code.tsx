import { Button, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS } from '@orchestrate/shared';
import { type DeviceState, PortalRefusal } from '@orchestrate/shared/authenticator';
import { useState } from 'react';
import { OneTimeCodeInput } from '../ui/one-time-code-input.tsx';
import { AccountChoice } from './account-choice.tsx';
import { refusalText } from './refusal-text.ts';

interface TypeCodeProps {
  accounts: readonly DeviceState[];
  /** Opens the request behind the code; rejects where there is none. */
  onOpenCode: (account: DeviceState, code: string) => Promise<void>;
  /** The code adds a device instead of answering a request. */
  onAddDevice: (code: string) => void;
}

// The portal does not tell a wrong code from one that is used or expired.
const NOT_VALID = t`This code is wrong or has expired. Check it, or ask for a new one.`;

/** Types the eight characters that a browser shows beside its QR code, or that somebody reads aloud. */
export function TypeCode({ accounts, onOpenCode, onAddDevice }: TypeCodeProps) {
  const [zid, setZid] = useState(accounts[0]?.zid);
  const [code, setCode] = useState('');
  const [isOpening, setIsOpening] = useState(false);
  const [problem, setProblem] = useState<string>();
  const account = accounts.find((candidate) => candidate.zid === zid) ?? accounts[0];
  const isComplete = code.length === LIMITS.typedCodeLength;

  const open = async (typed: string) => {
    if (!account || isOpening) return;
    setIsOpening(true);
    try {
      await onOpenCode(account, typed);
    } catch (failure) {
      const isUnknown = failure instanceof PortalRefusal && failure.resultName === 'EXPIRED';
      setProblem(isUnknown ? NOT_VALID : refusalText(failure).text);
    }
    setIsOpening(false);
  };

  return (
    <Flex direction="column" gap="5">
      {accounts.length > 1 && <AccountChoice accounts={accounts} value={account?.zid} onChange={setZid} />}
      <OneTimeCodeInput
        label={t`Code`}
        kind="letters-and-digits"
        length={LIMITS.typedCodeLength}
        groupSize={4}
        value={code}
        error={problem}
        onChange={(typed) => {
          setCode(typed);
          setProblem(undefined);
        }}
        onSubmit={(typed) => void open(typed)}
        submitsWhenFull
        hasAutoFocus
      />
      <Button size="xl" loading={isOpening} disabled={!isComplete} onClick={() => void open(code)}>
        {t`Continue`}
      </Button>
      {problem && isComplete && (
        <Button variant="ghost" alignSelf="center" onClick={() => onAddDevice(code)}>
          {t`Add this phone with the code instead`}
        </Button>
      )}
    </Flex>
  );
}
