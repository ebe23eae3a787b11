import { Box } from '@chakra-ui/react';
import type { OrgSettings } from '@orchestrate/shared';
import { lazy, Suspense } from 'react';
import { TabList } from '../../ui/tab-list.tsx';
import { CodeWay } from './code-way.tsx';
import { ScanWay } from './scan-way.tsx';
import { useFocusOnMount } from './use-focus-on-mount.ts';
import { type Way, wayLabel } from './way.ts';
import { NameFormSkeleton, StageSkeleton } from './ways-skeleton.tsx';

interface SignInWaysProps {
  settings: OrgSettings;
  ways: Way[];
  way: Way;
  onWay: (way: Way) => void;
  /** It was opened by the button that it replaces. */
  takesFocus: boolean;
}

// Form fields are as large as the rest of this page, so they are loaded on demand.
const DeviceWay = lazy(() => import('./device-way.tsx'));
const PasskeyWay = lazy(() => import('./passkey-way.tsx'));

/** The tabs and the sign-in below them. Each tab begins another sign-in; the abandoned one just expires. */
export default function SignInWays({ settings, ways, way, onWay, takesFocus }: SignInWaysProps) {
  const { orgCode, primaryAttrField } = settings;
  const element = useFocusOnMount(takesFocus);
  return (
    <Box ref={element} tabIndex={-1} outline="0">
      <TabList
        label="Ways to sign in"
        tabs={ways.map((value) => ({ value, label: wayLabel[value] }))}
        value={way}
        onChange={onWay}
      >
        {way === 'scan' && (
          <ScanWay orgCode={orgCode} onTypeInstead={ways.includes('code') ? () => onWay('code') : undefined} />
        )}
        {way === 'code' && <CodeWay orgCode={orgCode} />}
        {way === 'device' && (
          <Suspense fallback={<NameFormSkeleton />}>
            <DeviceWay orgCode={orgCode} primaryAttrField={primaryAttrField} />
          </Suspense>
        )}
        {way === 'passkey' && (
          <Suspense fallback={<StageSkeleton />}>
            <PasskeyWay orgCode={orgCode} />
          </Suspense>
        )}
      </TabList>
    </Box>
  );
}
