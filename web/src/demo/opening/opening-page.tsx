import { Box, Button, Center, chakra, Flex, Grid, Heading, Input, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { DEFAULT_BRAND, listSpaces, makeSpace } from '@orchestrate/shared';
import { startOfHour } from 'date-fns';
import { Clapperboard } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { today } from '#adapters/browser.ts';
import NotFoundPage from '#features/static-pages/not-found-page.tsx';
import { TokenForm } from '#lab/tokens/token-form.tsx';
import { LoadingPage } from '#layout/screen-boundary.tsx';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { useRead } from '#lib/api/use-read.ts';
import { initialOf } from '#lib/format/text.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { labToken } from '#lib/session/browser-state.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { ColourChoice } from '#ui/form/colour-choice.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { BrandScope } from '#ui/text/brand-scope.tsx';
import { BRAND_BORDER, demoPaths } from '../demo-paths.ts';
import type { Company } from '../world/company.ts';
import { demoWorld } from '../world/demo-world.ts';

/**
 * Starts a space for a company. @returns the URL of the demo
 * @throws ApiRefusal if the space can't be started
 */
export async function startDemo(company: Company): Promise<string> {
  // The world's times count back from the full hour. Counting back from now could move today's first event to
  // yesterday.
  const seed = demoWorld(company, startOfHour(today()));
  const { url } = await call(makeSpace, { body: { seed, name: t`Demo: ${company.name}`.slice(0, 60) } });
  const address = new URL(demoPaths.demo, url);
  // The demo needs this portal's URL to offer another demo once the demo's space has ended.
  address.searchParams.set('from', window.location.origin);
  const token = labToken();
  // Pass the token in the hash, which browsers don't send to servers. The two ports don't share storage.
  if (token) address.hash = new URLSearchParams({ 'lab-token': token }).toString();
  return address.href;
}

const bar = (width: string) => <Box h="2" w={width} borderRadius="full" bg="bg.emphasized" />;

/** Previews the demo with the entered name and colour. */
function OpeningPreview({ name }: { name: string }) {
  const shown = name || t`Your organisation`;
  return (
    <Box aria-hidden position="relative" h="27rem" me="6">
      <Flex
        h="23rem"
        borderRadius="l3"
        borderWidth="1px"
        overflow="hidden"
        bg="bg.panel"
        boxShadow="lg"
        direction="column"
      >
        <Flex align="center" gap="1.5" px="4" h="9" borderBottomWidth="1px" bg="bg.subtle" flexShrink="0">
          {['one', 'two', 'three'].map((dot) => (
            <Box key={dot} boxSize="2.5" borderRadius="full" bg="bg.emphasized" />
          ))}
        </Flex>
        <Flex flex="1" minH="0">
          <Flex
            w="40%"
            direction="column"
            justify="space-between"
            p="5"
            bg="brand.solid"
            color="brand.contrast"
            minW="0"
          >
            <Flex align="center" gap="2.5" minW="0">
              <Tile name={shown} />
              <Text fontWeight="semibold" lineHeight="short" lineClamp={2} overflowWrap="anywhere">
                {shown}
              </Text>
            </Flex>
            <Text fontSize="xl" textWrap="balance" fontWeight="bold" letterSpacing="tight" lineHeight="short" pb="4">
              {t`Your phone is the key.`}
            </Text>
          </Flex>
          {/* Leaves room for the phone in front. */}
          <Flex flex="1" direction="column" gap="4" justify="center" ps="6" pe="40" minW="0">
            <Text fontWeight="semibold" lineClamp={3} overflowWrap="anywhere">
              {name ? t`Sign in to ${name}` : t`Sign in to your organisation`}
            </Text>
            {bar('80%')}
            {bar('55%')}
            <Center h="9" borderRadius="l2" bg="brand.solid" color="brand.contrast" textStyle="sm" fontWeight="medium">
              {t`Sign in`}
            </Center>
          </Flex>
        </Flex>
      </Flex>
      <Flex
        position="absolute"
        bottom="0"
        right="-6"
        w="10.5rem"
        h="20rem"
        direction="column"
        justify="flex-end"
        gap="3"
        p="4"
        borderRadius="28px"
        borderWidth="7px"
        borderColor="#0C0B0A"
        outline="1px solid {colors.border.emphasized}"
        bg="bg"
        boxShadow="lg"
      >
        <Flex align="center" gap="2" minW="0">
          <Tile name={shown} isOnPaper />
          <Text textStyle="sm" fontWeight="semibold" lineHeight="short" lineClamp={2} overflowWrap="anywhere">
            {shown}
          </Text>
        </Flex>
        <Text textStyle="sm" fontWeight="medium">
          {t`Is this you?`}
        </Text>
        {bar('100%')}
        {bar('70%')}
        <Center h="9" borderRadius="l2" bg="brand.solid" color="brand.contrast" textStyle="sm" fontWeight="medium">
          {t`Approve`}
        </Center>
        <Center h="9" borderRadius="l2" borderWidth="1px" textStyle="sm">
          {t`Deny`}
        </Center>
      </Flex>
    </Box>
  );
}

function Tile({ name, isOnPaper = false }: { name: string; isOnPaper?: boolean }) {
  return (
    <chakra.span
      display="grid"
      placeItems="center"
      boxSize="7"
      flexShrink="0"
      borderRadius="l1"
      fontWeight="bold"
      bg={isOnPaper ? 'brand.solid' : 'brand.contrast'}
      color={isOnPaper ? 'brand.contrast' : 'brand.solid'}
    >
      {initialOf(name)}
    </chakra.span>
  );
}

const NAME_MAX_LENGTH = 60;

/** Asks for the visitor's organisation name and colour, and starts a demo with them. */
function OpeningScreen() {
  const [name, setName] = useState('');
  const [colour, setColour] = useState(DEFAULT_BRAND);
  const [isChecked, setIsChecked] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const [refusal, setRefusal] = useState<ApiRefusal>();
  const isMissing = name.trim() === '';

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (isMissing || isPending) return;
    setIsPending(true);
    setRefusal(undefined);
    try {
      window.location.assign(await startDemo({ name: name.trim(), colour }));
    } catch (failure) {
      setIsPending(false);
      if (!(failure instanceof ApiRefusal)) throw failure;
      setRefusal(failure);
    }
  };

  return (
    <BrandScope colour={colour} display="flex" flex="1">
      <title>{t`Demo · Orchestrate`}</title>
      <Grid
        as="main"
        flex="1"
        alignItems="center"
        justifyContent="center"
        gap={{ base: '10', md: '20' }}
        templateColumns={{ base: 'minmax(0, 26rem)', sm: '24rem minmax(0, 34rem)' }}
        px="6"
        py="10"
      >
        <chakra.form noValidate onSubmit={(event) => void submit(event)}>
          <Flex direction="column" gap="7">
            <Flex direction="column" gap="3">
              <Flex align="center" gap="2" color="fg.muted" textStyle="sm" fontWeight="medium">
                <Clapperboard size={16} aria-hidden />
                {t`Demo`}
              </Flex>
              <Heading as="h1" size="2xl">
                {t`See the portal in your colours`}
              </Heading>
              <Text color="fg.muted" textWrap="pretty">
                {t`A browser, a phone and everything that happens between them, on one screen. Six scenes, all running live in your own portal.`}
              </Text>
            </Flex>
            <FormField
              label={t`Your organisation’s name`}
              error={isChecked && isMissing ? t`This field is required` : undefined}
            >
              <Input
                size="lg"
                autoFocus
                autoComplete="organization"
                maxLength={NAME_MAX_LENGTH}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            </FormField>
            <ColourChoice value={colour} onChange={setColour} />
            {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
            <Button
              type="submit"
              size="xl"
              borderColor={BRAND_BORDER}
              loading={isPending}
              loadingText={t`Preparing the demo`}
            >
              {t`Start the demo`}
            </Button>
          </Flex>
        </chakra.form>
        <Box hideBelow="sm">
          <OpeningPreview name={name.trim()} />
        </Box>
      </Grid>
    </BrandScope>
  );
}

/** The page that starts a demo. With `LAB=off`, it looks like a page that doesn't exist. */
export default function OpeningPage() {
  const { data, refusal, refetch } = useRead(listSpaces, {});
  if (data) return <OpeningScreen />;
  if (!refusal) return <LoadingPage />;
  if (refusal.status === 404) return <NotFoundPage />;
  if (refusal.status === 403) return <TokenForm message={refusal.message} onToken={() => void refetch()} />;
  // This portal is a space. It can't start spaces, but it already contains its demo.
  if (refusal.resultName === 'UNSUPPORTED_ACTION') return <Navigate to={demoPaths.demo} replace />;
  return <RefusalState refusal={refusal} onRetry={refetch} />;
}
