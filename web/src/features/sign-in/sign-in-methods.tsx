import { Box } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import { Suspense } from 'react';
import { lazyPart } from '../../lib/browser/lazy-part.ts';
import { TabList } from '../../ui/tab-list.tsx';
import { withSignInWords } from '../../words/with-sign-in-words.ts';
import { CodeMethod } from './code-method.tsx';
import { type Method, methodLabel } from './method.ts';
import { NameFormSkeleton, PanelSkeleton } from './methods-skeleton.tsx';
import { ScanMethod } from './scan-method.tsx';
import { useFocusOnMount } from './use-focus-on-mount.ts';

interface SignInMethodsProps {
  settings: OrgSettings;
  methods: Method[];
  method: Method;
  onMethod: (method: Method) => void;
  /** It was opened by the button that it replaces. */
  takesFocus: boolean;
}

// Form fields are as large as the rest of this page, so they are loaded on demand.
const DeviceMethod = lazyPart(() => withSignInWords(() => import('./device-method.tsx')));
const PasskeyMethod = lazyPart(() => withSignInWords(() => import('./passkey-method.tsx')));

/** The tabs and the sign-in below them. Each tab starts another sign-in and withdraws the one before it. */
export default function SignInMethods({ settings, methods, method, onMethod, takesFocus }: SignInMethodsProps) {
  const { orgCode, primaryAttrField } = settings;
  const element = useFocusOnMount(takesFocus);
  return (
    <Box ref={element} tabIndex={-1} outline="0">
      <TabList
        label={t`Ways to sign in`}
        tabs={methods.map((value) => ({ value, label: methodLabel[value] }))}
        value={method}
        onChange={onMethod}
      >
        {method === 'scan' && (
          <ScanMethod
            orgCode={orgCode}
            hasMobileApp={settings.mobileAppEnabled}
            onTypeInstead={methods.includes('code') ? () => onMethod('code') : undefined}
          />
        )}
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
