import { Button, chakra, Flex, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { labToken, storeLabToken } from '#lib/session/browser-state.ts';
import { MessagePage } from '#ui/feedback/message-page.tsx';
import { FormField } from '#ui/form/form-field.tsx';

interface TokenFormProps {
  /** Why the lab refused access. */
  message: string;
  onToken: () => void;
}

/** Asks for the lab token, which is required on other machines. */
export function TokenForm({ message, onToken }: TokenFormProps) {
  const [token, setToken] = useState('');
  const wasRefused = labToken() !== undefined;
  return (
    <MessagePage
      icon={KeyRound}
      title={t`Lab token required`}
      action={
        <chakra.form
          w="full"
          textAlign="start"
          onSubmit={(event) => {
            event.preventDefault();
            storeLabToken(token.trim());
            onToken();
          }}
        >
          <Flex direction="column" gap="4">
            <FormField
              label={t`Lab token`}
              error={wasRefused ? t`This token isn’t valid. Check it and try again.` : undefined}
            >
              <Input
                size="lg"
                type="password"
                autoComplete="off"
                maxLength={500}
                value={token}
                onChange={(event) => setToken(event.target.value)}
              />
            </FormField>
            <Button type="submit" size="lg" disabled={!token.trim()}>
              {t`Open the lab`}
            </Button>
          </Flex>
        </chakra.form>
      }
    >
      {message}
    </MessagePage>
  );
}
