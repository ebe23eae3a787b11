import { Box, Skeleton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type AppType, fullNameOf, getUser } from '@orchestrate/shared';
import { useState } from 'react';
import { firstAppOf, useOrgLoginOptions } from '#features/settings/shared/login-options.ts';
import { useRead } from '#lib/api/use-read.ts';
import { Modal } from '#ui/dialog/modal.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { TabList } from '#ui/list/tab-list.tsx';
import { deviceTypeLabel } from '#ui/text/device-icon.tsx';
import type { MemberDialogProps } from '../dialogs/member-dialog.ts';
import { hasCodeRights } from '../member-rights.ts';
import { useMemberRights } from '../use-member-rights.ts';
import { ActivationCodePanel } from './activation-code-panel.tsx';

const APPS = ['mobile', 'desktop'] as const satisfies readonly AppType[];

/** Shows a member's activation codes, with a tab for each app whose codes the user can generate (spec 1 §6). */
export default function ActivationCodesDialog({ member, isOpen, onClose, onExitComplete }: MemberDialogProps) {
  const { data, refusal, refetch } = useRead(getUser, { query: { suid: member.suid } });
  const rights = useMemberRights(data?.profile ?? member);
  const tabs = APPS.filter((app) => hasCodeRights(rights, app));
  const { data: organisation } = useOrgLoginOptions();
  const [chosen, choose] = useState<AppType>();
  const app = chosen ?? firstAppOf(organisation, tabs) ?? tabs[0] ?? 'mobile';
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={onExitComplete}
      title={t`Generate activation codes`}
      description={t`For ${fullNameOf(member)} (${member.primaryEmail})`}
    >
      <TabList
        label={t`App`}
        tabs={tabs.map((value) => ({ value, label: deviceTypeLabel[value] }))}
        value={app}
        onChange={choose}
      >
        <Box minH="48">
          {data ? (
            <ActivationCodePanel
              key={app}
              title={t`Activation code`}
              member={data.profile}
              devices={data.devices}
              app={app}
              rights={rights}
            />
          ) : refusal ? (
            <RefusalState refusal={refusal} onRetry={refetch} />
          ) : (
            <Skeleton h="40" borderRadius="l2" role="status" aria-label={t`Loading activation code`} />
          )}
        </Box>
      </TabList>
    </Modal>
  );
}
