import { Box } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { getRememberedMember, type OrgSettings, type RememberedMember } from '@orchestrate/shared';
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import useSWRImmutable from 'swr/immutable';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { lazyPart, loadPart } from '#lib/browser/lazy-part.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { mayBeRemembered } from '#lib/session/browser-state.ts';
import { paths } from '#paths.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { withDialogWords, withSignInWords } from '#words/with-sign-in-words.ts';
import { availableMethods, methodFromUrl, type SignInMethod, SignInStage } from './method.ts';
import { MethodsSkeleton, PersonSkeleton } from './methods-skeleton.tsx';
import { withdrawPendingSignIn } from './pending-sign-in.ts';
import { signInTitleOf } from './shared/brand-words.ts';
import { OrganisationPage } from './shared/organisation-page.tsx';
import { type HelpTopic, PageFooter } from './shared/page-footer.tsx';
import { PageSkeleton } from './shared/page-skeleton.tsx';
import { SignInFront } from './shared/sign-in-front.tsx';
import { signInIfRemembered, useAppSignIn } from './use-app-login.ts';

const loadMethods = () => withSignInWords(() => import('./sign-in-methods.tsx'));
const SignInMethods = lazyPart(loadMethods);
const MethodSteps = lazyPart(async () => ({ default: (await loadMethods()).MethodSteps }));
const RememberedPerson = lazyPart(() => withSignInWords(() => import('./remembered-person.tsx')));
const ExternalSignIn = lazyPart(() => withDialogWords(() => import('./external-sign-in.tsx')));

/** Sign-in screen of one organisation (spec 1 §2). */
export default function SignInScreen() {
  const { orgId = '' } = useParams();

  useEffect(() => {
    // Preload the methods so that the button opens them immediately. If preloading fails, opening retries.
    loadMethods().catch(() => undefined);
  }, []);

  return (
    <OrganisationPage orgId={orgId} notLoaded={t`The sign-in page couldn't be loaded`}>
      {(settings) => <SignIn settings={settings} />}
    </OrganisationPage>
  );
}

function SignIn({ settings }: { settings: OrgSettings }) {
  const [search, setSearch] = useSearchParams();
  const { state, hash } = useLocation();
  const navigate = useNavigate();
  const [isPressed, setIsPressed] = useState(false);
  const [isOpening, setIsOpening] = useState(false);
  const { appLogin, refusal, isLoading } = useAppSignIn();
  const [isApproving, setIsApproving] = useState(false);
  const { orgCode } = settings;
  const methods = availableMethods(appLogin ?? settings);
  const method = methodFromUrl(search, methods);
  useEffect(() => {
    // Without a method, the user has left the sign-in, e.g. for single sign-on.
    if (method === null) withdrawPendingSignIn();
  }, [method]);
  const open = (next: SignInMethod) => {
    const params = new URLSearchParams(search);
    params.set('with', next);
    // The first choice adds a history entry, so that Back closes the methods. Later choices replace that entry. The
    // state contains the page from which the route guard redirected.
    setSearch(params, { replace: method !== null, state });
  };
  const openFirst = (next: SignInMethod) => {
    setIsPressed(true);
    open(next);
  };
  const close = useCallback(() => {
    const params = new URLSearchParams(search);
    params.delete('with');
    setSearch(params, { replace: true, state });
  }, [search, setSearch, state]);
  const stage = useMemo(() => ({ isApproving, setIsApproving, close }), [isApproving, close]);
  const person = useRememberedPerson(orgCode, search.get('app') ?? undefined, open);
  const press = async () => {
    setIsPressed(true);
    setIsOpening(true);
    const { pathname } = window.location;
    if (await person.request()) return setIsOpening(false);
    // For an application, the remembered browser was tried when the screen opened, unless the application requires
    // the user to confirm. Pressing the button confirms.
    const app = appLogin && { appLoginId: search.get('app') ?? '', confirmed: true };
    const isSignedIn = (!appLogin || appLogin.needsConfirmation) && (await signInIfRemembered(orgCode, app));
    // Open a method only if the user is still on this page.
    if (!isSignedIn && window.location.pathname === pathname) open(person.usesPasskey ? 'passkey' : 'scan');
    setIsOpening(false);
  };
  if (isLoading) return <PageSkeleton orgId={settings.orgCode} />;
  const refused = refusal && {
    text: t`Go back to the application and start again.`,
    result: <AlertLine>{resultText(refusal)}</AlertLine>,
  };
  // Single sign-on returns here with a single-use session code in the fragment, which browsers never send to a
  // server.
  const ended = search.get('login') === 'success' ? new URLSearchParams(hash.slice(1)) : undefined;
  const returned = ended?.has('code') && {
    text: t`Signing in with your identity provider.`,
    result: (
      <Suspense fallback={<MethodsSkeleton />}>
        <ExternalSignIn
          ended={ended}
          onAgain={() => void navigate(paths.signIn(settings.orgCode), { replace: true })}
        />
      </Suspense>
    ),
  };
  const opened = method && {
    steps: (
      <Suspense>
        <MethodSteps method={method} />
      </Suspense>
    ),
    methods: (
      <Suspense fallback={<MethodsSkeleton />}>
        <SignInMethods settings={settings} methods={methods} method={method} onMethod={open} takesFocus={isPressed} />
      </Suspense>
    ),
  };
  const title = signInTitleOf(settings);
  return (
    <SignInStage value={stage}>
      <title>{t`${title} · Orchestrate`}</title>
      <SignInFront
        // Don't offer the provider that the user has just come from.
        settings={returned ? { ...settings, portalOidcEnabled: false } : settings}
        onOpen={() => void press()}
        isOpening={isOpening}
        onPasskey={methods.includes('passkey') ? () => openFirst('passkey') : undefined}
        {...person.front}
        isApproving={isApproving}
        opened={refused || returned || opened || undefined}
        application={appLogin?.appName}
        note={
          state?.hasExpired &&
          t`Your session has ended. Sign in to continue where you left off. Anything you typed is saved.`
        }
        footer={<HelpLinks settings={settings} />}
      />
    </SignInStage>
  );
}

// Part of the cache key. Another member can sign in between two visits, so each visit asks the server.
let visits = 0;

/**
 * Returns the member whom the server remembers for this browser's cookie. Browsers that weren't told that they are
 * remembered don't ask.
 */
function useRememberedMember(orgCode: string, appLoginId: string | undefined) {
  const [visit] = useState(() => {
    visits += 1;
    return mayBeRemembered(orgCode) ? visits : undefined;
  });
  const [isForgotten, setIsForgotten] = useState(false);
  const { data, isLoading } = useSWRImmutable<RememberedMember | null, ApiRefusal>(
    visit === undefined ? null : ['remembered member', orgCode, appLoginId, visit],
    async () => (await call(getRememberedMember, { query: { orgCode, appLoginId } })).member,
  );
  return {
    member: isForgotten ? null : (data ?? null),
    /** True if the member was expected, so that their space stays if the server remembers no one. */
    isExpected: visit !== undefined && !isForgotten,
    isLoading,
    /** Removes the member from the page. */
    drop: () => setIsForgotten(true),
  };
}

/**
 * Returns how the page offers to sign in the member whom this browser remembers. The server signs them in without a
 * device if it can. Otherwise, one press sends a request to their devices.
 */
function useRememberedPerson(orgCode: string, appLoginId: string | undefined, open: (method: SignInMethod) => void) {
  const { member, isExpected, isLoading, drop } = useRememberedMember(orgCode, appLoginId);
  const [refusal, setRefusal] = useState<ApiRefusal>();
  const [isForgetting, setIsForgetting] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { deviceName = '' } = member ?? {};
  const needsRequest = member?.needsApproval === true && member.deviceType !== 'webauthn';
  const load = () => loadPart(() => import('./remembered-sign-in.ts'));
  const attempt = async (action: () => Promise<boolean>): Promise<boolean> => {
    setRefusal(undefined);
    try {
      return await action();
    } catch (failure) {
      if (!(failure instanceof ApiRefusal)) throw failure;
      setRefusal(failure);
      return true;
    }
  };
  /** Sends the request. Returns false if the member isn't remembered or needs none. */
  const request = () =>
    attempt(async () => {
      if (!member || !needsRequest) return false;
      const { pathname } = window.location;
      const { requestRemembered } = await load();
      const isSent = await requestRemembered(
        { orgCode, appLoginId },
        member,
        () => window.location.pathname !== pathname,
      );
      if (isSent) open('device');
      return true;
    });
  const forget = async () => {
    setIsForgetting(true);
    const isForgotten = await attempt(async () => {
      const { forgetRemembered } = await load();
      await forgetRemembered(orgCode);
      drop();
      button.current?.focus();
      return true;
    });
    setIsForgetting(!isForgotten);
  };
  return {
    request,
    usesPasskey: member?.needsApproval === true && member.deviceType === 'webauthn',
    front: {
      buttonRef: button,
      label: needsRequest ? t`Sign in on ${deviceName}` : undefined,
      problem: refusal && <AlertLine>{resultText(refusal)}</AlertLine>,
      remembered: isExpected && (
        // The space stays if the server remembers no one, so that the button doesn't jump.
        <Box minH="16">
          {member ? (
            <Suspense fallback={<PersonSkeleton />}>
              <RememberedPerson member={member} isPending={isForgetting} onForget={() => void forget()} />
            </Suspense>
          ) : (
            isLoading && <PersonSkeleton />
          )}
        </Box>
      ),
    },
  };
}

const dialogs = {
  help: lazyPart(() => withDialogWords(() => import('./help-dialog.tsx'))),
  'how-it-works': lazyPart(() => withDialogWords(() => import('./how-it-works-dialog.tsx'))),
  'lost-device': lazyPart(() => withDialogWords(() => import('./lost-device-dialog.tsx'))),
};

/** Help links below the sign-in form. The dialogs are loaded on demand. */
function HelpLinks({ settings }: { settings: OrgSettings }) {
  const [topic, setTopic] = useState<HelpTopic>();
  const Dialog = topic && dialogs[topic];
  return (
    <>
      <PageFooter settings={settings} onAsk={setTopic} />
      {Dialog && (
        <Suspense>
          <Dialog settings={settings} onClose={() => setTopic(undefined)} />
        </Suspense>
      )}
    </>
  );
}
