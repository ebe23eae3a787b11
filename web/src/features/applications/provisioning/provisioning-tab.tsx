import { Button, chakra, Flex, Skeleton } from '@chakra-ui/react';
import {
  type AppProvisioning,
  deleteAppProvisioning,
  getAppProvisioning,
  sendAllProvisioning,
} from '@orchestrate/shared';
import { Pencil, Send, Trash2, UsersRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useInterruptible } from '../../../editing/interrupted.ts';
import { useWrite } from '../../../lib/api/use-endpoint.ts';
import { useRead } from '../../../lib/api/use-read.ts';
import { formatDateTime, formatDateTimeSeconds } from '../../../lib/format/dates.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { toast } from '../../../lib/notices/toaster.ts';
import { AlertLine } from '../../../ui/alert-line.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Section } from '../../../ui/section.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { ConfirmWrite } from '../confirm-write.tsx';
import { useOrgCode } from '../use-applications.ts';
import { ProvisioningLog } from './provisioning-log.tsx';
import { SentPreview } from './sent-preview.tsx';
import { ServiceDialog } from './service-dialog.tsx';

/** To which SCIM service the people of an application are sent, and how that goes. */
export default function ProvisioningTab({ appId }: { appId: string }) {
  const params = { orgCode: useOrgCode(), appId };
  const [isEditing, setIsEditing] = useInterruptible(`provisioning ${appId}`);
  const { data, refusal, refetch } = useRead(getAppProvisioning, { params });
  if (!data && refusal)
    return <ErrorState message={resultText(refusal)} requestId={refusal.requestId} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h="56" borderRadius="l3" role="status" aria-label="Loading the provisioning" />;
  const { provisioning, attributes } = data;
  return (
    <Flex direction="column" gap="6">
      {provisioning ? (
        <>
          <Service
            appId={appId}
            provisioning={provisioning}
            onEdit={() => setIsEditing(true)}
            onChanged={() => void refetch()}
          />
          <SentPreview appId={appId} hasGroups={provisioning.sendGroups} />
          <ProvisioningLog appId={appId} />
        </>
      ) : (
        <Section title="Provisioning">
          <EmptyState
            icon={UsersRound}
            title="People are not sent anywhere"
            description="If the application has a SCIM service, the portal creates, changes and removes its people and groups there."
            action={<Button onClick={() => setIsEditing(true)}>Set up provisioning</Button>}
          />
        </Section>
      )}
      <ServiceDialog
        appId={appId}
        saved={provisioning}
        attributes={attributes}
        isOpen={isEditing}
        onClose={() => setIsEditing(false)}
        onSaved={() => void refetch()}
      />
    </Flex>
  );
}

interface ServiceProps {
  appId: string;
  provisioning: AppProvisioning;
  onEdit: () => void;
  onChanged: () => void;
}

function Service({ appId, provisioning, onEdit, onChanged }: ServiceProps) {
  const params = { orgCode: useOrgCode(), appId };
  const [asked, setAsked] = useState(false);
  const all = useWrite(sendAllProvisioning);
  const { url, people, groups, stoppedAt, stopReason, pausedUntil } = provisioning;
  const sendAll = async () => {
    try {
      await all.run({ params, body: {} });
    } catch {
      // `refusal` shows why.
      return;
    }
    onChanged();
    toast.success('Everybody is sent again');
  };
  return (
    <Section
      title="Provisioning"
      aside={
        <Flex gap="2.5">
          <Button size="sm" variant="outline" loading={all.isPending} onClick={() => void sendAll()}>
            <Send aria-hidden />
            Send everybody again
          </Button>
          <Button size="sm" variant="outline" onClick={onEdit}>
            <Pencil aria-hidden />
            Edit
          </Button>
        </Flex>
      }
    >
      <Flex direction="column" gap="5">
        {stoppedAt && (
          <AlertLine>
            {`The portal stopped sending on ${formatDateTime(stoppedAt)}: ${stopReason}. Save the settings again once that is put right.`}
          </AlertLine>
        )}
        {all.refusal && <AlertLine>{resultText(all.refusal)}</AlertLine>}
        <Flex as="dl" columnGap="10" rowGap="4" wrap="wrap">
          <Fact label="State">
            <StatusBadge {...stateOf(provisioning)} />
          </Fact>
          <Fact label="Service">{url}</Fact>
          <Fact label="Up to date">{counted(people.current, groups.current)}</Fact>
          <Fact label="Waiting">
            {counted(people.waiting, groups.waiting)}
            {pausedUntil && people.waiting > 0 && `, not before ${formatDateTimeSeconds(pausedUntil)}`}
          </Fact>
          <Fact label="Refused">{counted(people.failed, groups.failed)}</Fact>
        </Flex>
        <Flex>
          <Button size="sm" variant="ghost" color="fg.error" onClick={() => setAsked(true)}>
            <Trash2 aria-hidden />
            Remove provisioning
          </Button>
        </Flex>
      </Flex>
      <ConfirmWrite
        entry={deleteAppProvisioning}
        input={asked ? { params } : undefined}
        onClose={() => setAsked(false)}
        onDone={onChanged}
        done="Provisioning removed"
        title="Remove provisioning?"
        verb="Remove provisioning"
        isDestructive
        consequences={['Nothing is sent any more, and the log is deleted.', 'People stay at the service as they are.']}
      />
    </Section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Flex direction="column" gap="1">
      <chakra.dt textStyle="xs" fontWeight="medium" color="fg.muted">
        {label}
      </chakra.dt>
      <chakra.dd overflowWrap="anywhere">{children}</chakra.dd>
    </Flex>
  );
}

/** So many people; groups are named where there are any. */
function counted(people: number, groups: number): string {
  if (groups === 0) return people.toLocaleString();
  return `${people.toLocaleString()} ${people === 1 ? 'person' : 'people'}, ${groups.toLocaleString()} ${groups === 1 ? 'group' : 'groups'}`;
}

function stateOf({ enabled, stoppedAt, pausedUntil, people }: AppProvisioning) {
  if (stoppedAt) return { status: 'Stopped', tone: 'danger' } as const;
  if (!enabled) return { status: 'Off', tone: 'neutral' } as const;
  if (pausedUntil && people.waiting > 0) return { status: 'Paused', tone: 'warning' } as const;
  return { status: 'On', tone: 'success' } as const;
}
