import { Box, Button, Center, chakra } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import { Smartphone } from 'lucide-react';
import { Suspense, useContext } from 'react';
import { qrLink } from '#lib/address/authenticator-links.ts';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { CopyAction } from '#ui/feedback/copy-action.tsx';
import { TypedCode } from '#ui/form/typed-code.tsx';
import { TabList } from '#ui/list/tab-list.tsx';
import { BrandMark } from '#ui/text/brand-mark.tsx';
import { QrCode } from '#ui/text/qr-code.tsx';
import { withDialogWords } from '#words/with-sign-in-words.ts';
import { methodLabels, type SignInMethod, SignInStage, useFocusOnMount } from './method.ts';
import { NameFormSkeleton, PanelSkeleton } from './methods-skeleton.tsx';
import { PanelContent } from './request-panel.tsx';
import { PanelRefusal, RunningSignIn } from './running-sign-in.tsx';
import { useStartedSignIn } from './use-sign-in.ts';

/**
 * Signs in by scanning a QR code. On a phone, which can't scan its own screen, a link opens the authenticator
 * instead.
 */
function ScanMethod({ settings }: { settings: OrgSettings }) {
  const { orgCode, mobileAppEnabled, name, logo } = settings;
  const { started, refusal, isPending, isRenewed, renew } = useStartedSignIn(orgCode, 'QID');
  if (refusal) return <PanelRefusal refusal={refusal} onRetry={renew} />;
  if (!started?.qid) return <PanelSkeleton />;
  const address = qrLink({ kind: 'sign-in', orgCode, qidCode: started.qid });
  return (
    <RunningSignIn
      key={started.loginId}
      started={started}
      takesFocus={isRenewed}
      waiting={t`Waiting for your device`}
      expired={t`This code has expired.`}
      renewLabel={t`Get a new code`}
      onRenew={renew}
      isRenewing={isPending}
      content={
        <PanelContent>
          <QrCode
            value={address}
            label={t`QR code to sign in`}
            mark={<BrandMark name={name} logo={logo} size="lg" />}
          />
        </PanelContent>
      }
      lead={
        mobileAppEnabled && (
          <Button asChild size="lg" w="full" hideFrom="xs" h="auto" minH="12" py="2" whiteSpace="normal">
            <a href={address} target="_blank" rel="noreferrer">
              <Smartphone aria-hidden />
              {t`Open in the authenticator on this phone`}
            </a>
          </Button>
        )
      }
      actions={<CopyAction text={address} label={t`Copy link`} />}
    />
  );
}

/** Signs in by typing eight characters into the authenticator. */
function CodeMethod({ orgCode }: { orgCode: string }) {
  const { started, refusal, isPending, isRenewed, renew } = useStartedSignIn(orgCode, 'DID');
  if (refusal) return <PanelRefusal refusal={refusal} onRetry={renew} />;
  if (!started?.did) return <PanelSkeleton />;
  return (
    <RunningSignIn
      key={started.loginId}
      started={started}
      takesFocus={isRenewed}
      waiting={t`Waiting for your device`}
      expired={t`This code has expired.`}
      renewLabel={t`Get a new code`}
      onRenew={renew}
      isRenewing={isPending}
      content={
        <PanelContent>
          <TypedCode code={started.did} label={t`Sign-in code`} />
        </PanelContent>
      }
      actions={<CopyAction text={started.did} label={t`Copy code`} />}
    />
  );
}

interface SignInMethodsProps {
  settings: OrgSettings;
  methods: SignInMethod[];
  method: SignInMethod;
  onMethod: (method: SignInMethod) => void;
  /** True if this component replaces the button that opened it, so focus must move here. */
  takesFocus: boolean;
}

// The form fields are as large as the rest of this screen's code, so they are loaded on demand.
const DeviceMethod = lazyPart(() => withDialogWords(() => import('./device-method.tsx')));
const PasskeyMethod = lazyPart(() => withDialogWords(() => import('./passkey-method.tsx')));

const methodSteps: Record<SignInMethod, string[]> = {
  scan: [t`Open your authenticator`, t`Scan the code`, t`Approve on your device`],
  code: [t`Open your authenticator`, t`Choose Type code and enter the code`, t`Approve on your device`],
  device: [t`Send a request to your device`, t`Open it in your authenticator`, t`Choose the number displayed here`],
  passkey: [t`Choose your passkey`, t`Unlock this device as usual, or use your security key`],
};

/** What to do with a sign-in method, step by step. */
export function MethodSteps({ method }: { method: SignInMethod }) {
  return (
    <chakra.ol aria-label={t`Steps`} display="flex" flexDirection="column" gap="4" listStyleType="none">
      {methodSteps[method].map((step, at) => (
        <chakra.li key={step} display="flex" alignItems="center" gap="3" fontSize="md">
          <Center
            aria-hidden
            boxSize="6"
            flexShrink="0"
            borderRadius="full"
            bg="brand.subtle"
            color="brand.fg"
            textStyle="xs"
            fontWeight="semibold"
          >
            {at + 1}
          </Center>
          {step}
        </chakra.li>
      ))}
    </chakra.ol>
  );
}

/** Tabs with the sign-in methods. Each tab starts a new sign-in and withdraws the previous one. */
export default function SignInMethods({ settings, methods, method, onMethod, takesFocus }: SignInMethodsProps) {
  const { orgCode, primaryAttrField } = settings;
  const element = useFocusOnMount(takesFocus);
  const { isApproving } = useContext(SignInStage);
  return (
    <Box ref={element} tabIndex={-1} outline="0">
      <TabList
        label={t`Sign-in methods`}
        tabs={methods.map((value) => ({ value, label: methodLabels[value] }))}
        value={method}
        onChange={onMethod}
        isHidden={isApproving}
      >
        {method === 'scan' && <ScanMethod settings={settings} />}
        {method === 'code' && <CodeMethod orgCode={orgCode} />}
        {method === 'device' && (
          <Suspense fallback={<NameFormSkeleton />}>
            <DeviceMethod
              orgCode={orgCode}
              primaryAttrField={primaryAttrField}
              hasMobileApp={settings.mobileAppEnabled}
              acceptsPasskeys={methods.includes('passkey')}
            />
          </Suspense>
        )}
        {method === 'passkey' && (
          <Suspense fallback={<PanelSkeleton />}>
            <PasskeyMethod orgCode={orgCode} />
          </Suspense>
        )}
      </TabList>
    </Box>
  );
}
