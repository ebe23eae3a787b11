import { Button, Flex, Grid } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Plus, ScanLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { today } from '../../adapters/clock.ts';
import { useModal } from '../../lib/address/use-modal.ts';
import { useIsDesktop } from '../../lib/browser/use-media.ts';
import { appDeniedText, canAddDevice } from '../../lib/session/app-permission.ts';
import { useCan, useSession } from '../../lib/session/session.ts';
import { SignInsPanel } from '../../signed-in/sign-ins-panel.tsx';
import { Hint } from '../../ui/hint.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { FirstSteps } from './first-steps.tsx';
import { greetingAt } from './greeting.ts';
import { LoginHistoryPanel } from './login-history-panel.tsx';
import { RememberedBrowsers } from './remembered-browsers.tsx';
import { SummaryStrip } from './summary-strip.tsx';

/** The start page: one's own devices and latest sign-ins. */
export default function DashboardScreen({ devices }: { devices: ReactNode }) {
  const profile = useSession()?.profile;
  const { open } = useModal();
  const isAdministrator = useCan('SEARCH_USER');
  const isDesktop = useIsDesktop();
  const isAddAllowed = canAddDevice(profile);
  return (
    <Flex direction="column" gap="6">
      <title>{t`Dashboard · Orchestrate`}</title>
      <PageHeader
        title={`${greetingAt(today().getHours())}, ${profile?.firstName}`}
        description={t`Your devices, and where you signed in.`}
        action={
          <>
            <Button variant="outline" onClick={() => open('test-device')}>
              <ScanLine />
              {t`Test Device`}
            </Button>
            <Hint text={isAddAllowed ? undefined : appDeniedText(profile)}>
              <Button
                aria-disabled={isAddAllowed ? undefined : true}
                opacity={isAddAllowed ? undefined : 0.5}
                onClick={() => isAddAllowed && open('add-device')}
              >
                <Plus />
                {t`Add device`}
              </Button>
            </Hint>
          </>
        }
      />
      {isAdministrator && isDesktop && <FirstSteps />}
      {isAdministrator && isDesktop && <SummaryStrip />}
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 378px' }} gap="6" alignItems="start">
        {devices}
        <Flex direction="column" gap="6" minW="0">
          <LoginHistoryPanel />
          <SignInsPanel />
          <RememberedBrowsers />
        </Flex>
      </Grid>
    </Flex>
  );
}
