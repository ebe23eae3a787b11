import { Box, Button, Center, chakra, Flex, Grid, Heading, Input, Link, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { readSetup } from '@orchestrate/shared';
import { Lock } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Navigate, Link as RouterLink, useNavigate } from 'react-router-dom';
import { wash } from '#features/sign-in/shared/page-frame.tsx';
import { useRead } from '#lib/api/use-read.ts';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { rememberedOrganisation } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { MessagePage } from '#ui/feedback/message-page.tsx';
import { FormField } from '#ui/form/form-field.tsx';

const StartingPoints = lazyPart(() => import('./starting-points.tsx'));

const title = t`Access restricted`;
const explanation = t`This portal opens only at your organisation's own address. Use the link from your administrator, or enter your organisation code.`;

/**
 * Screen shown if the URL contains no organisation. On a local portal with an open lab, it also lists places to start.
 * If no organisation exists yet, it links to the first-run screen.
 */
export default function AccessRestrictedPage() {
  const { data: setup } = useRead(readSetup, {});
  if (setup?.isEmpty) return <Navigate to={paths.setup} replace />;
  if (!setup?.hasOpenLab)
    return (
      <MessagePage icon={Lock} title={title} action={<OrganisationForm canSetUp={setup?.isOpen} />}>
        {explanation}
      </MessagePage>
    );
  return (
    <Flex
      as="main"
      flex="1"
      direction="column"
      align="center"
      bgRepeat="no-repeat"
      backgroundImage={{ base: wash(30), _dark: wash(11) }}
    >
      <title>{t`${title} · Orchestrate`}</title>
      <Flex
        direction="column"
        gap={{ base: '6', xs: '8' }}
        w="full"
        maxW="4xl"
        px="5"
        pt={{ base: '5', xs: '10' }}
        pb="12"
      >
        <Flex align="center" justify="space-between" wrap="wrap" columnGap="6" rowGap="3">
          <Flex align="center" gap="3">
            <chakra.img src="/favicon.svg" alt="" boxSize="9" />
            <Text fontSize="lg" fontWeight="semibold" letterSpacing="snug">
              {t`Orchestrate`}
            </Text>
          </Flex>
          <Flex align="center" gap="2" textStyle="sm" color="fg.muted">
            <Box aria-hidden boxSize="2" borderRadius="full" bg="success.border" />
            {t`This portal runs on your machine: ${window.location.host}`}
          </Flex>
        </Flex>
        <Grid
          templateColumns={{ base: 'minmax(0, 1fr)', xs: 'minmax(0, 1fr) minmax(0, 1fr)' }}
          alignItems="center"
          columnGap="10"
          rowGap="5"
          p={{ base: '5', xs: '6' }}
          bg="bg.panel"
          borderWidth="1px"
          borderRadius="l3"
        >
          <Flex gap="4">
            <Center boxSize="10" flexShrink="0" borderRadius="full" bg="bg.muted" color="fg.muted">
              <Lock size={20} strokeWidth={1.5} aria-hidden />
            </Center>
            <Box>
              <Heading as="h1" size="xl">
                {title}
              </Heading>
              <Text mt="1" color="fg.muted" textWrap="pretty">
                {explanation}
              </Text>
            </Box>
          </Flex>
          <OrganisationForm isSecondary canSetUp={setup.isOpen} />
        </Grid>
        <Suspense>
          <StartingPoints />
        </Suspense>
      </Flex>
    </Flex>
  );
}

/** Height of a field's label with its gap. */
const LABEL_HEIGHT = '25.5px';

interface OrganisationFormProps {
  /** True next to other places to start, which have the primary button. */
  isSecondary?: boolean;
  /** True if the portal has no administrator yet. */
  canSetUp: boolean | undefined;
}

/** Opens the sign-in page of an organisation. */
function OrganisationForm({ isSecondary = false, canSetUp = false }: OrganisationFormProps) {
  const navigate = useNavigate();
  const [organisation, setOrganisation] = useState(rememberedOrganisation() ?? '');
  const [isChecked, setIsChecked] = useState(false);
  const code = organisation.trim().toLowerCase();
  const size = isSecondary ? 'md' : 'lg';
  return (
    <chakra.form
      w="full"
      textAlign="start"
      onSubmit={(event) => {
        event.preventDefault();
        setIsChecked(true);
        if (code) void navigate(paths.signIn(code));
      }}
    >
      <Flex direction="column" gap="4">
        <Flex
          direction={isSecondary ? 'row' : 'column'}
          align={isSecondary ? 'flex-start' : undefined}
          gap={isSecondary ? '2.5' : '4'}
        >
          <Box flex="1">
            <FormField
              label={t`Organisation code`}
              error={isChecked && !code ? t`Enter your organisation code.` : undefined}
            >
              <Input
                size={size}
                maxLength={40}
                autoCapitalize="none"
                spellCheck={false}
                value={organisation}
                onChange={(event) => setOrganisation(event.target.value)}
              />
            </FormField>
          </Box>
          <Button
            type="submit"
            size={size}
            variant={isSecondary ? 'outline' : 'solid'}
            mt={isSecondary ? LABEL_HEIGHT : undefined}
          >
            {t`Go to sign-in`}
          </Button>
        </Flex>
        {canSetUp && (
          <Link asChild alignSelf={isSecondary ? 'start' : 'center'} textStyle="sm">
            <RouterLink to={paths.setup}>{t`Set up the first administrator`}</RouterLink>
          </Link>
        )}
      </Flex>
    </chakra.form>
  );
}
