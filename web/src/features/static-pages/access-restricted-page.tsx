import { Button, chakra, Flex, Input } from '@chakra-ui/react';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { rememberedOrganisation } from '../../lib/session/session.ts';
import { paths } from '../../paths.ts';
import { FormField } from '../../ui/form-field.tsx';
import { MessagePage } from '../../ui/message-page.tsx';

export default function AccessRestrictedPage() {
  const navigate = useNavigate();
  const [organisation, setOrganisation] = useState(rememberedOrganisation() ?? '');
  const code = organisation.trim().toLowerCase();
  return (
    <MessagePage
      icon={Lock}
      title="Access restricted"
      action={
        <chakra.form
          w="full"
          textAlign="start"
          onSubmit={(event) => {
            event.preventDefault();
            if (code) void navigate(paths.signIn(code));
          }}
        >
          <Flex direction="column" gap="4">
            <FormField label="Organisation code">
              <Input
                size="lg"
                maxLength={40}
                autoCapitalize="none"
                spellCheck={false}
                value={organisation}
                onChange={(event) => setOrganisation(event.target.value)}
              />
            </FormField>
            <Button type="submit" size="lg" disabled={!code}>
              Go to sign-in
            </Button>
          </Flex>
        </chakra.form>
      }
    >
      This portal opens only at the address of your organisation. Follow the link that your Administrator gave you, or
      enter your organisation's code.
    </MessagePage>
  );
}
