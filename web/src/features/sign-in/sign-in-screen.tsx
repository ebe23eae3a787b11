import { Button, Flex, Heading, Text } from '@chakra-ui/react';
import { CloudAlert, SearchX } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'react-router-dom';
import { resultText } from '../../lib/result-text.ts';
import { paths } from '../../paths.ts';
import { MessagePage } from '../../ui/message-page.tsx';
import { BrandPanel } from './brand-panel.tsx';
import { HelpLinks } from './help-links.tsx';
import { Logo } from './logo.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { SignInSkeleton } from './sign-in-skeleton.tsx';
import { SingleSignOn } from './single-sign-on.tsx';
import { useOrganisation } from './use-organisation.ts';
import { type Way, wayIn, waysOf, wayText } from './way.ts';
import { WaysSkeleton } from './ways-skeleton.tsx';

const loadWays = () => import('./sign-in-ways.tsx');
const SignInWays = lazy(loadWays);

/** The sign-in page of one organisation (spec 1 §2). */
export default function SignInScreen() {
  const { orgId = '' } = useParams();
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation();
  const [isPressed, setIsPressed] = useState(false);
  const { settings, isUnknown, refusal, isValidating, refetch } = useOrganisation(orgId);

  useEffect(() => {
    // Fetched while the person reads the page, so that the button opens at once. If it fails now, opening tries again.
    loadWays().catch(() => undefined);
  }, []);

  if (isUnknown) {
    return (
      <MessagePage
        icon={SearchX}
        title={`There is no organisation “${orgId}”`}
        action={
          <Button asChild variant="outline">
            <Link to={paths.home}>Enter another code</Link>
          </Button>
        }
      >
        Check the address for a typing error, or ask your Administrator for the right link.
      </MessagePage>
    );
  }
  if (!settings && refusal) {
    return (
      <MessagePage
        icon={CloudAlert}
        tone="danger"
        title="The sign-in page could not be loaded"
        action={
          <Button variant="outline" loading={isValidating} loadingText="Retry" onClick={() => void refetch()}>
            Retry
          </Button>
        }
      >
        {resultText(refusal)}
      </MessagePage>
    );
  }
  if (!settings) return <SignInSkeleton orgId={orgId} />;

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
    <SignInFrame
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
      </Flex>
    </SignInFrame>
  );
}
