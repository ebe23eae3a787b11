import { Button, Flex, Skeleton, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import {
  deleteWebhook,
  readWebhookSecret,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookEndpoint,
} from '@orchestrate/shared';
import { Eye, Lock, RefreshCw, Trash2, Webhook } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { usePathName } from '#lib/address/path-names.ts';
import { useGuardedNavigate } from '#lib/address/use-next-step.ts';
import { call } from '#lib/api/call.ts';
import { useInvalidate, useWrite } from '#lib/api/use-write.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { leaveWithoutAsking } from '#lib/leaving/navigation-guard.tsx';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { portalNow } from '#lib/time/portal-time.ts';
import { paths } from '#paths.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import { useSettingsForm } from '#ui/editing/use-settings-form.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { SecretField } from '#ui/form/secret-field.tsx';
import { SettingsForm } from '#ui/form/settings-form.tsx';
import { SwitchField } from '#ui/form/switch-field.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { Deliveries } from './deliveries.tsx';
import { useWebhook } from './use-webhooks.ts';
import {
  type WebhookFields,
  webhookEditFields,
  webhookFields,
  webhookFieldsOf,
  webhookFormOf,
} from './webhook-fields.ts';
import { WebhookInputs } from './webhook-inputs.tsx';

/** Shows the secret that receivers use to verify that the portal sent an event. Loaded only on demand. */
function SigningSecret({ webhook: { id: webhookId, oldSecretUntil } }: { webhook: WebhookEndpoint }) {
  const [secret, setSecret] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isReading, setIsReading] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const rotation = useWrite(rotateWebhookSecret, { invalidates: ['Webhooks'] });

  const read = async () => {
    setIsReading(true);
    setProblem(undefined);
    try {
      const { secret: present } = await call(readWebhookSecret, { params: { webhookId } });
      // If the user rotated the secret while this request was running, keep the new secret.
      setSecret((created) => created ?? present);
    } catch (failure) {
      setProblem(resultText(failure));
    } finally {
      setIsReading(false);
    }
  };
  const rotate = async () => {
    try {
      setSecret((await rotation.run({ params: { webhookId }, body: {} })).secret);
      setIsAsked(false);
      toast.success(t`New secret created`);
    } catch {
      // The page displays the error in `refusal`.
    }
  };
  const close = () => {
    setIsAsked(false);
    rotation.reset();
  };
  const hasOld = oldSecretUntil !== null && Date.parse(oldSecretUntil) > portalNow();

  return (
    <Section
      title={t`Signing secret`}
      aside={
        <Button variant="outline" size="sm" onClick={() => setIsAsked(true)}>
          <RefreshCw aria-hidden />
          {t`Rotate`}
        </Button>
      }
    >
      <Flex direction="column" gap="3" align="stretch">
        {secret === undefined ? (
          <Flex gap="4" align="center" justify="space-between" wrap="wrap">
            <Text color="fg.muted" flex="1 1 20rem">
              {t`Your system uses this secret to verify that an event comes from this portal and wasn't changed in transit.`}
            </Text>
            <Button variant="outline" loading={isReading} loadingText={t`Show secret`} onClick={() => void read()}>
              <Eye aria-hidden />
              {t`Show secret`}
            </Button>
          </Flex>
        ) : (
          <SecretField
            key={secret}
            label={t`Secret`}
            help={t`To verify the signature of every delivery, use this secret with a Standard Webhooks library (standardwebhooks.com).`}
            value={secret}
          />
        )}
        {problem && <AlertLine>{problem}</AlertLine>}
        {hasOld && (
          <Text textStyle="sm" color="fg.muted">
            {t`Deliveries are also signed with the previous secret until ${formatDateTime(oldSecretUntil)}.`}
          </Text>
        )}
      </Flex>
      <ConfirmDialog
        isOpen={isAsked}
        onClose={close}
        onConfirm={() => void rotate()}
        title={t`Rotate secret`}
        verb={t`Rotate secret`}
        consequences={[
          t`From now on, every delivery is signed with a new secret.`,
          t`For 24 hours, deliveries are also signed with the old secret, so your system can switch over without losing events.`,
        ]}
        isPending={rotation.isPending}
        error={rotation.refusal && resultText(rotation.refusal)}
      />
    </Section>
  );
}

interface DeleteWebhookDialogProps {
  webhook: WebhookEndpoint;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks for confirmation before deleting a webhook, which stops its deliveries. */
function DeleteWebhookDialog({ webhook: { id, url }, isOpen, onClose }: DeleteWebhookDialogProps) {
  const goToNextStep = useGuardedNavigate();
  const invalidate = useInvalidate();
  const { run, isPending, refusal, reset } = useWrite(deleteWebhook);
  const confirm = async () => {
    try {
      await run({ params: { webhookId: id } });
    } catch {
      return;
    }
    toast.success(t`Webhook deleted`);
    leaveWithoutAsking(() => goToNextStep(paths.webhooks));
    // Don't refetch the webhook itself. Its screen stays mounted briefly and would request the deleted webhook.
    await invalidate('Webhook List');
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={reset}
      onConfirm={() => void confirm()}
      title={t`Delete the webhook to ${new URL(url).host}?`}
      verb={t`Delete webhook`}
      isDestructive
      isPending={isPending}
      consequences={[
        t`No more events will be sent, and pending deliveries will be dropped.`,
        t`The delivery log will be deleted too.`,
        t`This can't be undone.`,
      ]}
      error={refusal && resultText(refusal)}
    />
  );
}

/** One webhook with its settings, secret and deliveries. */
export default function WebhookScreen() {
  const { webhookId = '' } = useParams();
  const { data, refusal, refetch } = useWebhook(webhookId);
  const webhook = refusal?.status === 404 ? undefined : data?.webhook;
  usePathName(paths.webhook(webhookId), webhook && new URL(webhook.url).host);
  if (webhook) return <Loaded key={webhook.id} webhook={webhook} />;
  if (refusal?.status === 404)
    return (
      <EmptyState
        icon={Webhook}
        level="h1"
        title={t`This webhook doesn't exist`}
        description={t`It may have been deleted.`}
        action={
          <Button asChild variant="outline">
            <Link to={paths.webhooks}>{t`Back to webhooks`}</Link>
          </Button>
        }
      />
    );
  if (refusal?.status === 403)
    return <EmptyState level="h1" icon={Lock} title={t`You can't view webhooks`} description={resultText(refusal)} />;
  if (refusal) return <RefusalState level="h1" refusal={refusal} onRetry={refetch} />;
  return (
    <Page width="text">
      <Flex direction="column" gap="6" role="status" aria-label={t`Loading webhook`}>
        <Skeleton h="7" w="72" />
        <Skeleton h="80" borderRadius="l3" />
        <Skeleton h="40" borderRadius="l3" />
      </Flex>
    </Page>
  );
}

function Loaded({ webhook }: { webhook: WebhookEndpoint }) {
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <Page width="text">
      <title>{t`${new URL(webhook.url).host} · Webhooks · Orchestrate`}</title>
      <PageHeader
        title={new URL(webhook.url).host}
        description={webhook.description || t`Sends events to one of your own systems.`}
        action={
          <Button variant="outline" color="fg.error" onClick={() => setIsDeleting(true)}>
            <Trash2 aria-hidden />
            {t`Delete webhook`}
          </Button>
        }
      />
      {!webhook.enabled && webhook.disabledAt && (
        <AlertLine>
          {t`The portal turned this webhook off on ${formatDateTime(webhook.disabledAt)} because deliveries had been failing for days. Turn it back on once its endpoint is reachable.`}
        </AlertLine>
      )}
      <Settings webhook={webhook} />
      <SigningSecret webhook={webhook} />
      <Deliveries webhook={webhook} />
      <DeleteWebhookDialog webhook={webhook} isOpen={isDeleting} onClose={() => setIsDeleting(false)} />
    </Page>
  );
}

function Settings({ webhook }: { webhook: WebhookEndpoint }) {
  const { run } = useWrite(updateWebhook, { invalidates: ['Webhooks'] });
  const { form, frame } = useSettingsForm<WebhookFields>({
    resolver: zodResolver(webhookFields),
    name: `webhook ${webhook.id}`,
    saved: { values: webhookFieldsOf(webhook), version: webhook.version },
    fields: webhookEditFields,
    formOf: webhookFieldsOf,
    save: async (values, { version: ifMatch }) => {
      const input = { params: { webhookId: webhook.id }, body: webhookFormOf(values) };
      const { webhook: saved } = await run(input, { ifMatch });
      toast.success(t`Webhook saved`);
      return { values: webhookFieldsOf(saved), version: saved.version };
    },
  });
  return (
    <SettingsForm {...frame}>
      <Section title={t`Settings`}>
        <Flex direction="column" gap="5">
          <SwitchField
            control={form.control}
            name="enabled"
            label={t`Enabled`}
            help={t`While this webhook is off, no events are sent, and events from that time aren't sent later.`}
          />
          <WebhookInputs form={form} />
        </Flex>
      </Section>
    </SettingsForm>
  );
}
