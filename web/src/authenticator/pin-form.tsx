import { Button, Flex, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { APP_PIN_LENGTH, createAppPin, isAppPin } from '@orchestrate/shared/authenticator';
import { useState } from 'react';
import { OneTimeCodeInput } from '#ui/form/one-time-code-input.tsx';
import { keepPin, usePhoneMemory } from './phone/phone-storage.ts';

const TRIES = 5;

interface PinFormProps {
  /** The right PIN was typed, or a new one chosen. */
  onUnlock: () => void;
  /** Too many wrong PINs: the person holding the phone does not know it. */
  onLockOut: () => void;
  onBack: () => void;
}

/** What an organisation with app lock asks before an approval: the phone's own PIN, chosen the first time. */
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
    if (wrongTries + 1 >= TRIES) return onLockOut();
    setWrongTries(wrongTries + 1);
    const left = TRIES - wrongTries - 1;
    startAgain(plural(left, { one: 'Wrong PIN. # try left.', other: 'Wrong PIN. # tries left.' }));
  };

  const choose = (value: string) => {
    if (chosen === null) {
      setChosen(value);
      setTyped('');
      setError(undefined);
      return;
    }
    if (value === chosen) {
      keepPin(createAppPin(value));
      return onUnlock();
    }
    setChosen(null);
    startAgain(t`The PINs did not match. Choose a PIN again.`);
  };

  const label = pin ? t`PIN of this app` : chosen === null ? t`New PIN` : t`New PIN again`;
  const explanation = pin
    ? t`This organisation asks for this app's PIN before you approve.`
    : chosen === null
      ? t`This organisation asks for a PIN before you approve. Choose one for this app.`
      : t`Type the same PIN once more.`;
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
