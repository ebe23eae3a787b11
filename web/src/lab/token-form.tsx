import { Button, chakra, Flex, Input } from '@chakra-ui/react';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { keepLabToken, labToken } from '../lib/lab-token.ts';
import { FormField } from '../ui/form-field.tsx';
import { MessagePage } from '../ui/message-page.tsx';

/** The lab answers its own machine; anybody else needs the token that it was started with. */
export function TokenForm({ onToken }: { onToken: () => void }) {
  const [token, setToken] = useState('');
  const wasRefused = labToken() !== undefined;
  return (
    <MessagePage
      icon={KeyRound}
      title="The lab answers its own machine"
      action={
        <chakra.form
          w="full"
          textAlign="start"
          onSubmit={(event) => {
            event.preventDefault();
            keepLabToken(token.trim());
            onToken();
          }}
        >
          <Flex direction="column" gap="4">
            <FormField label="Lab token" error={wasRefused ? 'This token was refused.' : undefined}>
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
              Open the lab
            </Button>
          </Flex>
        </chakra.form>
      }
    >
      From another machine, give the token that the portal was started with (LAB_TOKEN).
    </MessagePage>
  );
}
