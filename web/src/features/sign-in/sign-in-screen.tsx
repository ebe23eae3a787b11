import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import { Suspense, useEffect, useState } from 'react';
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { paths } from '#paths.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { withDialogWords, withSignInWords } from '#words/with-sign-in-words.ts';
import { availableMethods, methodFromUrl, methodInstructions, type SignInMethod } from './method.ts';
import { MethodsSkeleton } from './methods-skeleton.tsx';
import { withdrawPendingSignIn } from './pending-sign-in.ts';
import { signInTitleOf } from './shared/brand-words.ts';
import { OrganisationPage } from './shared/organisation-page.tsx';
import { type HelpTopic, PageFooter } from './shared/page-footer.tsx';
import { PageSkeleton } from './shared/page-skeleton.tsx';
import { SignInFront } from './shared/sign-in-front.tsx';
import { signInIfRemembered, useAppSignIn } from './use-app-login.ts';

const loadMethods = () => withSignInWords(() => import('./sign-in-methods.tsx'));
const SignInMethods = lazyPart(loadMethods);
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
  const press = async () => {
    setIsPressed(true);
    setIsOpening(true);
    const { pathname } = window.location;
    // For an application, the remembered browser was tried when the screen opened, unless the application requires
    // the user to confirm. Pressing the button confirms.
    const app = appLogin && { appLoginId: search.get('app') ?? '', confirmed: true };
    const isSignedIn = (!appLogin || appLogin.needsConfirmation) && (await signInIfRemembered(settings.orgCode, app));
    // Open a method only if the user is still on this page.
    if (!isSignedIn && window.location.pathname === pathname) open('scan');
    setIsOpening(false);
  };
  if (isLoading) return <PageSkeleton orgId={settings.orgCode} />;
  const refused = refusal && {
    text: t`Go back to the application and start again.`,
    methods: <AlertLine>{resultText(refusal)}</AlertLine>,
  };
  // Single sign-on returns here with a single-use session code in the fragment, which browsers never send to a
  // server.
  const ended = search.get('login') === 'success' ? new URLSearchParams(hash.slice(1)) : undefined;
  const returned = ended?.has('code') && {
    text: t`Signing in with your identity provider.`,
    methods: (
      <Suspense fallback={<MethodsSkeleton />}>
        <ExternalSignIn
          ended={ended}
          onAgain={() => void navigate(paths.signIn(settings.orgCode), { replace: true })}
        />
      </Suspense>
    ),
  };
  const opened = method && {
    text: methodInstructions[method],
    methods: (
      <Suspense fallback={<MethodsSkeleton />}>
        <SignInMethods settings={settings} methods={methods} method={method} onMethod={open} takesFocus={isPressed} />
      </Suspense>
    ),
  };
  const title = signInTitleOf(settings);
  return (
    <>
      <title>{t`${title} · Orchestrate`}</title>
      <SignInFront
        // Don't offer the provider that the user has just come from.
        settings={returned ? { ...settings, portalOidcEnabled: false } : settings}
        onOpen={() => void press()}
        isOpening={isOpening}
        opened={refused || returned || opened || undefined}
        application={appLogin?.appName}
        note={
          state?.hasExpired &&
          t`Your session has ended. Sign in to continue where you left off. Anything you typed is saved.`
        }
        footer={<HelpLinks settings={settings} />}
      />
    </>
  );
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
