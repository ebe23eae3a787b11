import { Button, Flex, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { APP_PIN_LENGTH, createAppPin, isAppPin } from '@orchestrate/shared/authenticator';
import { useState } from 'react';
import { OneTimeCodeInput } from '#ui/form/one-time-code-input.tsx';
import { storePin, usePhoneMemory } from './phone/phone-storage.ts';

const MAX_ATTEMPTS = 5;

interface PinFormProps {
  /** Called when the correct PIN was entered, or a new PIN was set. */
  onUnlock: () => void;
  /** Called after too many wrong PINs. */
  onLockOut: () => void;
  onBack: () => void;
}

/** Asks for the app PIN before an approval if the organisation uses app lock. Sets the PIN up on first use. */
export function PinForm({ onUnlock, onLockOut, onBack }: PinFormProps) {
  const { pin } = usePhoneMemory();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [error, setError] = useState<string>();
  const [wrongTries, setWrongTries] = useState(0);

  const startAgain = (message: string) => {
    setTyped('');
    setError(message);
  };

  const check = (value: string) => {
    if (pin && isAppPin(value, pin)) return onUnlock();
    if (wrongTries + 1 >= MAX_ATTEMPTS) return onLockOut();
    setWrongTries(wrongTries + 1);
    const left = MAX_ATTEMPTS - wrongTries - 1;
    startAgain(plural(left, { one: 'Wrong PIN. # attempt left.', other: 'Wrong PIN. # attempts left.' }));
  };

  const choose = (value: string) => {
    if (chosen === null) {
      setChosen(value);
      setTyped('');
      setError(undefined);
      return;
    }
    if (value === chosen) {
      storePin(createAppPin(value));
      return onUnlock();
    }
    setChosen(null);
    startAgain(t`The PINs didn't match. Choose a PIN again.`);
  };

  const label = pin ? t`App PIN` : chosen === null ? t`New PIN` : t`Confirm new PIN`;
  const explanation = pin
    ? t`This organisation requires your app PIN to approve.`
    : chosen === null
      ? t`This organisation requires a PIN to approve. Choose one for this app.`
      : t`Enter the same PIN again.`;
  return (
    <Flex direction="column" gap="5" align="center">
      <Text color="fg.muted" textAlign="center" textWrap="balance">
        {explanation}
      </Text>
      <OneTimeCodeInput
        key={label}
        length={APP_PIN_LENGTH}
        label={label}
        value={typed}
        onChange={(value) => {
          setTyped(value);
          if (value) setError(undefined);
        }}
        onSubmit={pin ? check : choose}
        submitsWhenFull
        isSecret
        hasAutoFocus
        error={error}
      />
      <Button variant="ghost" onClick={onBack}>
        {t`Back to the request`}
      </Button>
    </Flex>
  );
}
