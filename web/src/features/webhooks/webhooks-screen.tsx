import { chakra, Flex, Table, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { createWebhook, WEBHOOKS_MAX, type WebhookEndpoint } from '@orchestrate/shared';
import { Lock, Plus, Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useNavigate } from 'react-router-dom';
import { actionLabel } from '#features/audit/shared/event-words.ts';
import { useModalOf } from '#lib/address/use-modal.ts';
import { useGuardedNavigate } from '#lib/address/use-next-step.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { showRefusal } from '#lib/notices/show-refusal.ts';
import { toast } from '#lib/notices/toaster.ts';
import { paths } from '#paths.ts';
import { useTypedDraft } from '#ui/editing/use-typed-draft.tsx';
import { CopyButton } from '#ui/feedback/copy-button.tsx';
import { ExplainedButton } from '#ui/feedback/explained-button.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { FormModal } from '#ui/form/form-modal.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { OpenMark, TableFrame } from '#ui/list/table-frame.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { Pre } from '#ui/text/raw-text.tsx';
import { RelativeTime } from '#ui/text/relative-time.tsx';
import { DeliveryBadge } from './shared/delivery-details.tsx';
import { useWebhooks } from './use-webhooks.ts';
import { NEW_WEBHOOK, type WebhookFields, webhookFields, webhookFormOf } from './webhook-fields.ts';
import { WebhookInputs } from './webhook-inputs.tsx';
import { eventSummary, webhookStatusOf } from './webhook-words.ts';

interface AddWebhookDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onAdded: (webhook: WebhookEndpoint) => void;
}

/** Dialog that adds a webhook and opens its screen, which shows the secret. */
function AddWebhookDialog({ isOpen, onClose, onAdded }: AddWebhookDialogProps) {
  const { run } = useWrite(createWebhook, { invalidates: ['Webhooks'] });
  const form = useForm<WebhookFields, unknown, WebhookFields>({
    resolver: zodResolver(webhookFields),
    mode: 'onTouched',
    defaultValues: NEW_WEBHOOK,
  });
  const restored = useTypedDraft({ form, name: 'webhook new', isOpen });
  const { errors, isDirty, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    try {
      const { webhook } = await run({ body: webhookFormOf(values) });
      toast.success(t`Webhook added`);
      onAdded(webhook);
    } catch (failure) {
      showRefusal(form, failure);
    }
  });
  return (
    <FormModal
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={() => form.reset(NEW_WEBHOOK)}
      title={t`Add webhook`}
      description={t`Once it's added, you'll see the secret that signs each delivery.`}
      size="lg"
      verb={t`Add webhook`}
      onSubmit={submit}
      isDirty={isDirty}
      isPending={isSubmitting}
      canSubmit={isDirty}
      error={errors.root?.message}
    >
      {restored}
      <WebhookInputs form={form} />
    </FormModal>
  );
}

/** Lists the systems that receive the organisation's events. */
export default function WebhooksScreen() {
  const { data, refusal, refetch } = useWebhooks();
  const dialog = useModalOf(['add-webhook']);
  const goToNextStep = useGuardedNavigate();
  const count = data?.webhooks.length ?? 0;
  const isFull = count >= WEBHOOKS_MAX;
  const add = (
    <ExplainedButton
      obstacle={isFull ? t`You've reached the limit of ${WEBHOOKS_MAX} webhooks. Delete one first` : undefined}
      onClick={() => dialog.open('add-webhook')}
    >
      <Plus aria-hidden />
      {t`Add webhook`}
    </ExplainedButton>
  );
  return (
    <Page>
      <title>{t`Webhooks · Orchestrate`}</title>
      <PageHeader
        title={t`Webhooks`}
        description={t`Notify your own systems of events as they happen. Deliveries follow the Standard Webhooks specification.`}
        action={count > 0 && add}
      />
      <Section isFlush>
        {data ? (
          <Results webhooks={data.webhooks} add={add} />
        ) : refusal?.status === 403 ? (
          <EmptyState icon={Lock} title={t`You can't view webhooks`} description={resultText(refusal)} />
        ) : refusal ? (
          <RefusalState refusal={refusal} onRetry={refetch} />
        ) : (
          <SkeletonRows label={t`Loading webhooks`} />
        )}
      </Section>
      {count > 0 && <VerifyDeliveries />}
      <AddWebhookDialog
        isOpen={dialog.modal !== null && !isFull}
        onClose={dialog.close}
        onAdded={({ id }) => goToNextStep(paths.webhook(id), { replace: true })}
      />
    </Page>
  );
}

/** What a receiver does with a delivery, as in `examples/webhooks/receiver.ts`. */
const RECEIVER = `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const event = webhook.verify(rawBody, request.headers);`;

/** Shows how a receiver verifies that a delivery comes from the portal. */
function VerifyDeliveries() {
  return (
    <Section
      title={t`Verify deliveries`}
      description={t`Each delivery is signed with its webhook’s secret. Verify the raw body before you parse it.`}
      aside={<CopyButton text={RECEIVER} label={t`Copy code`} />}
      isFlush
    >
      <Pre
        label={t`Verify deliveries`}
        text={RECEIVER}
        lineHeight="tall"
        px="5"
        py="4"
        bg="bg.subtle"
        borderRadius="0"
      />
    </Section>
  );
}

const AddressLink = chakra(Link, {
  base: { fontWeight: 'medium', borderRadius: 'xs', outline: '0', focusVisibleRing: 'outside' },
});

function Results({ webhooks, add }: { webhooks: readonly WebhookEndpoint[]; add: ReactNode }) {
  if (webhooks.length === 0) {
    const created = actionLabel('member.created');
    const registered = actionLabel('device.registered');
    const updated = actionLabel('role.updated');
    return (
      <EmptyState
        icon={Webhook}
        title={t`No webhooks yet`}
        description={t`Add the URL of one of your systems to notify it of events such as “${created}”, “${registered}” and “${updated}”.`}
        action={add}
      />
    );
  }
  return (
    <TableFrame
      label={t`Webhooks`}
      headings={[t`Address`, t`Events`, t`Status`, t`Last delivery`]}
      last={null}
      room={48}
    >
      {webhooks.map((webhook) => (
        <Row key={webhook.id} webhook={webhook} />
      ))}
    </TableFrame>
  );
}

function Row({ webhook }: { webhook: WebhookEndpoint }) {
  const navigate = useNavigate();
  const { id, url, description, events, lastStatus, lastAttemptAt } = webhook;
  return (
    // Makes the entire row clickable. Keyboard and screen reader users use the row's link instead.
    <Table.Row
      className="group"
      position="relative"
      cursor="pointer"
      _hover={{ bg: 'bg.subtle' }}
      onClick={() => void navigate(paths.webhook(id))}
    >
      <Table.Cell maxW="md">
        <Text truncate title={url}>
          <AddressLink to={paths.webhook(id)} onClick={(event) => event.stopPropagation()}>
            {url}
          </AddressLink>
        </Text>
        {description && (
          <Text textStyle="sm" color="fg.muted" truncate title={description}>
            {description}
          </Text>
        )}
      </Table.Cell>
      <Table.Cell textStyle="sm" color="fg.muted" whiteSpace="nowrap">
        {eventSummary(events)}
      </Table.Cell>
      <Table.Cell>
        <StatusBadge {...webhookStatusOf(webhook)} />
      </Table.Cell>
      <Table.Cell>
        {lastStatus ? (
          <Flex align="center" gap="2.5" wrap="wrap">
            <DeliveryBadge status={lastStatus} />
            <Text textStyle="sm" color="fg.muted" whiteSpace="nowrap">
              {lastAttemptAt && <RelativeTime at={lastAttemptAt} />}
            </Text>
          </Flex>
        ) : (
          <Text textStyle="sm" color="fg.muted">{t`None yet`}</Text>
        )}
        <OpenMark />
      </Table.Cell>
    </Table.Row>
  );
}
