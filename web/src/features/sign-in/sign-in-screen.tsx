import { Button, Flex, Heading, Text } from '@chakra-ui/react';
import type { OrgSettings } from '@orchestrate/shared';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'react-router-dom';
import { BrandPanel } from '../../entrance/brand-panel.tsx';
import { EntranceFrame } from '../../entrance/entrance-frame.tsx';
import { Logo } from '../../entrance/logo.tsx';
import { OrganisationPage } from '../../entrance/organisation-page.tsx';
import { paths } from '../../paths.ts';
import { HelpLinks } from './help-links.tsx';
import { SingleSignOn } from './single-sign-on.tsx';
import { type Way, wayIn, waysOf, wayText } from './way.ts';
import { WaysSkeleton } from './ways-skeleton.tsx';

const loadWays = () => import('./sign-in-ways.tsx');
const SignInWays = lazy(loadWays);

/** The sign-in page of one organisation (spec 1 §2). */
export default function SignInScreen() {
  const { orgId = '' } = useParams();

  useEffect(() => {
    // Fetched while the person reads the page, so that the button opens at once. If it fails now, opening tries again.
    loadWays().catch(() => undefined);
  }, []);

  return (
    <OrganisationPage orgId={orgId} name="sign-in page">
      {(settings) => <SignIn settings={settings} />}
    </OrganisationPage>
  );
}

function SignIn({ settings }: { settings: OrgSettings }) {
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation();
  const [isPressed, setIsPressed] = useState(false);
  const ways = waysOf(settings);
  const way = wayIn(search, ways);
  const open = (next: Way) => {
    const params = new URLSearchParams(search);
    params.set('with', next);
    // The first one opens in place and Back closes it; tabs would only pile up behind the Back button. The state holds
    // the page from which the guard sent the person here.
    setSearch(params, { replace: way !== null, state });
  };
  return (
    <EntranceFrame
      isFull={way !== null}
      brand={<BrandPanel orgCode={settings.orgCode} settings={settings} />}
      footer={<HelpLinks organisation={settings.name} copyright={settings.copyrightText} />}
    >
      <title>{`${settings.title} · Orchestrate`}</title>
      <Flex direction="column" gap="6">
        <Flex direction="column" gap="6">
          <Logo src={settings.logo} name={settings.name} />
          <Flex direction="column" gap="1.5">
            <Heading as="h1" size="xl" overflowWrap="anywhere">
              {settings.title}
            </Heading>
            <Text color="fg.muted" fontSize="md">
              {way ? wayText[way] : 'No password: your phone is all you need.'}
            </Text>
          </Flex>
        </Flex>
        {way ? (
          <Suspense fallback={<WaysSkeleton />}>
            <SignInWays settings={settings} ways={ways} way={way} onWay={open} takesFocus={isPressed} />
          </Suspense>
        ) : (
          <Button
            size="xl"
            w="full"
            onClick={() => {
              setIsPressed(true);
              open('scan');
            }}
          >
            {settings.loginButtonName}
          </Button>
        )}
        {settings.portalOidcEnabled && <SingleSignOn orgCode={settings.orgCode} label={settings.oidcButtonLabel} />}
        {!way && (
          <Text color="fg.muted" textAlign="center">
            New here?{' '}
            <Button asChild variant="plain" h="auto" minW="0" px="0">
              <Link to={paths.signUp(settings.orgCode)}>Join</Link>
            </Button>
          </Text>
        )}
      </Flex>
    </EntranceFrame>
  );
}
