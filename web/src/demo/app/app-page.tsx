import { Box, Button, Center, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { readWorld } from '@orchestrate/shared';
import { BookOpenText, ReceiptText } from 'lucide-react';
import { UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router-dom';
import NotFoundPage from '#features/static-pages/not-found-page.tsx';
import { LoadingPage } from '#layout/screen-boundary.tsx';
import { useRead } from '#lib/api/use-read.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { BrandScope } from '#ui/text/brand-scope.tsx';
import { Face } from '../faces/face.tsx';
import { DEMO_APPS, DEMO_SEED } from '../world/demo-world.ts';

/** Icon, colour and sample content for each application. */
const LOOKS = {
  payroll: {
    icon: ReceiptText,
    colour: '#0E7490',
    lines: [t`November payslip`, t`Holidays left: 11 days`, t`Expenses`],
  },
  wiki: { icon: BookOpenText, colour: '#7E22CE', lines: [t`Welcome to the team`, t`How we write`, t`Office plan`] },
} as const;

/** A sample application that signs users in through the portal. */
export default function AppPage() {
  const { appId } = useParams();
  const app = DEMO_APPS.find(({ id }) => id === appId);
  const { data, refusal } = useRead(readWorld, {});
  const orgCode = data?.world.randomSeed === DEMO_SEED ? data.world.organisations?.[0]?.code : undefined;
  if (!data && !refusal) return <LoadingPage />;
  if (!app || orgCode === undefined) return <NotFoundPage />;
  return <App key={app.id} app={app} orgCode={orgCode} />;
}

interface AppProps {
  app: (typeof DEMO_APPS)[number];
  orgCode: string;
}

function App({ app, orgCode }: AppProps) {
  const { icon: Icon, colour, lines } = LOOKS[app.id];
  const { person, problem, isBusy, start } = useAppSignIn(app, orgCode);
  return (
    <BrandScope colour={colour} display="flex" flexDirection="column" flex="1" bg="bg">
      <title>{app.name}</title>
      <Flex as="header" align="center" gap="3" h="16" px="6" bg="brand.solid" color="brand.contrast">
        <Icon size={22} aria-hidden />
        <Heading as="h1" size="md" flex="1">
          {app.name}
        </Heading>
        {person && (
          <Flex align="center" gap="2.5" minW="0">
            <Text textStyle="sm" fontWeight="medium" truncate>
              {person.name}
            </Text>
            <Face name={person.name} />
          </Flex>
        )}
      </Flex>
      <Center as="main" flex="1" p="6">
        {person ? (
          <Flex direction="column" gap="6" w="full" maxW="lg">
            <Flex align="center" gap="4">
              <Face name={person.name} size="16" />
              <Box minW="0">
                <Heading as="h2" size="xl">
                  {t`Hello, ${person.name.split(' ')[0] ?? ''}`}
                </Heading>
                <Text color="fg.muted" overflowWrap="anywhere">
                  {t`${person.email} · signed in with single sign-on`}
                </Text>
              </Box>
            </Flex>
            <chakra.ul listStyleType="none" borderWidth="1px" borderRadius="l3" bg="bg.panel">
              {lines.map((line) => (
                <chakra.li key={line} px="5" py="4" borderBottomWidth="1px" _last={{ borderBottomWidth: '0' }}>
                  {line}
                </chakra.li>
              ))}
            </chakra.ul>
          </Flex>
        ) : (
          <Flex direction="column" align="center" gap="6" w="full" maxW="sm" textAlign="center">
            <Center boxSize="16" borderRadius="l3" bg="brand.solid" color="brand.contrast">
              <Icon size={30} strokeWidth={1.5} aria-hidden />
            </Center>
            <Text color="fg.muted" textWrap="pretty">
              {t`${app.name} has no passwords. You sign in through your organisation.`}
            </Text>
            {problem && <AlertLine>{problem}</AlertLine>}
            <Button size="xl" w="full" loading={isBusy} onClick={() => void start()}>
              {t`Sign in to ${app.name}`}
            </Button>
          </Flex>
        )}
      </Center>
    </BrandScope>
  );
}

/**
 * Handles the application's sign-in, which starts on a click and finishes when the browser returns with the response.
 */
function useAppSignIn(app: AppProps['app'], orgCode: string) {
  const [person, setPerson] = useState<AppUser>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(new URLSearchParams(window.location.search).has('code'));
  useEffect(() => {
    let isLeft = false;
    finishSignIn(app, orgCode)
      .then((found) => !isLeft && setPerson(found))
      .catch((reason: unknown) => !isLeft && setProblem(problemOf(reason)))
      .finally(() => !isLeft && setIsBusy(false));
    return () => {
      isLeft = true;
    };
  }, [app, orgCode]);
  const start = async () => {
    setIsBusy(true);
    await startSignIn(app, orgCode).catch((reason: unknown) => {
      setProblem(problemOf(reason));
      setIsBusy(false);
    });
  };
  return { person, problem, isBusy, start };
}

const problemOf = (reason: unknown): string =>
  reason instanceof Error ? reason.message : t`Couldn't sign in. Try again.`;

interface AppUser {
  name: string;
  email: string;
}

/** Creates a public OpenID Connect client for the browser (authorization code with PKCE). */
function managerOf({ id, path }: AppProps['app'], orgCode: string): UserManager {
  return new UserManager({
    authority: `${window.location.origin}/oidc/${orgCode}`,
    client_id: id,
    redirect_uri: `${window.location.origin}${path}`,
    scope: 'openid profile email',
    loadUserInfo: true,
    automaticSilentRenew: false,
    // Use session storage to make the next scene start signed out.
    userStore: new WebStorageStateStore({ store: window.sessionStorage }),
    stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
  });
}

/** Redirects to the organisation's sign-in page. */
async function startSignIn(app: AppProps['app'], orgCode: string): Promise<void> {
  await managerOf(app, orgCode).signinRedirect();
}

/** URL of the last processed response. A code can be redeemed only once, even if the page renders twice. */
let answeredAddress = '';
let answer: Promise<AppUser | undefined> = Promise.resolve(undefined);

/** Returns the signed-in user if the current URL is a sign-in response. */
function finishSignIn(app: AppProps['app'], orgCode: string): Promise<AppUser | undefined> {
  const { href, search } = window.location;
  if (href === answeredAddress) return answer;
  if (!new URLSearchParams(search).has('state')) return Promise.resolve(undefined);
  answeredAddress = href;
  answer = managerOf(app, orgCode)
    .signinRedirectCallback(href)
    .then(({ profile }) => ({ name: profile.name ?? profile.sub, email: profile.email ?? '' }));
  return answer;
}
