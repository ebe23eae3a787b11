import { Button, chakra, Flex, Input, Link } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { readSetup } from '@orchestrate/shared';
import { Lock } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Navigate, Link as RouterLink, useNavigate } from 'react-router-dom';
import { useRead } from '#lib/api/use-read.ts';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { rememberedOrganisation } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { MessagePage } from '#ui/feedback/message-page.tsx';
import { FormField } from '#ui/form/form-field.tsx';

const StartingPoints = lazyPart(() => import('./starting-points.tsx'));

/**
 * Screen shown if the URL contains no organisation. On a local portal with an open lab, it also lists places to start.
 * If no organisation exists yet, it links to the first-run screen.
 */
export default function AccessRestrictedPage() {
  const navigate = useNavigate();
  const [organisation, setOrganisation] = useState(rememberedOrganisation() ?? '');
  const code = organisation.trim().toLowerCase();
  const { data: setup } = useRead(readSetup, {});
  if (setup?.isEmpty) return <Navigate to={paths.setup} replace />;
  const message = (
    <MessagePage
      as={setup?.hasOpenLab ? 'div' : 'main'}
      icon={Lock}
      title={t`Access restricted`}
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
            <FormField label={t`Organisation code`}>
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
              {t`Go to sign-in`}
            </Button>
            {setup?.isOpen && (
              <Link asChild alignSelf="center" textStyle="sm">
                <RouterLink to={paths.setup}>{t`Set up the first administrator`}</RouterLink>
              </Link>
            )}
          </Flex>
        </chakra.form>
      }
    >
      {t`This portal opens only at your organisation's own address. Use the link from your administrator, or enter your organisation code.`}
    </MessagePage>
  );
  if (!setup?.hasOpenLab) return message;
  return (
    <Flex
      as="main"
      flex="1"
      direction={{ base: 'column', md: 'row' }}
      align={{ md: 'flex-start' }}
      w="full"
      maxW={{ base: '4xl', md: '80rem' }}
      mx="auto"
    >
      <Flex flexShrink="0" w={{ md: '26rem' }}>
        {message}
      </Flex>
      <Suspense>
        <StartingPoints />
      </Suspense>
    </Flex>
  );
}
