import { Button, Flex, Skeleton } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { updateWebhook, type WebhookEndpoint } from '@orchestrate/shared';
import { Lock, Trash2, Webhook } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { useSettingsForm } from '../../editing/use-settings-form.ts';
import { usePlaceName } from '../../lib/address/place-names.ts';
import { useWrite } from '../../lib/api/use-write.ts';
import { formatDateTime } from '../../lib/format/dates.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { paths } from '../../paths.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RefusalState } from '../../ui/refusal-state.tsx';
import { Section } from '../../ui/section.tsx';
import { SettingsForm } from '../../ui/settings-form.tsx';
import { SwitchField } from '../../ui/switch-field.tsx';
import { DeleteWebhookDialog } from './delete-webhook-dialog.tsx';
import { Deliveries } from './deliveries.tsx';
import { SigningSecret } from './signing-secret.tsx';
import { useWebhook } from './use-webhooks.ts';
import { bodyOf, fieldsOf, type WebhookFields, webhookEdits, webhookFields } from './webhook-fields.ts';
import { WebhookInputs } from './webhook-inputs.tsx';

/** One webhook: its settings, its secret, and its deliveries. */
export default function WebhookScreen() {
  const { webhookId = '' } = useParams();
  const { data, refusal, refetch } = useWebhook(webhookId);
  const webhook = refusal?.status === 404 ? undefined : data?.webhook;
  usePlaceName(paths.webhook(webhookId), webhook && new URL(webhook.url).host);
  if (webhook) return <Loaded key={webhook.id} webhook={webhook} />;
  if (refusal?.status === 404)
    return (
      <EmptyState
        icon={Webhook}
        level="h1"
        title={t`This webhook does not exist`}
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
    <Flex direction="column" gap="6" maxW="4xl" role="status" aria-label={t`Loading the webhook`}>
      <Skeleton h="7" w="72" />
      <Skeleton h="80" borderRadius="l3" />
      <Skeleton h="40" borderRadius="l3" />
    </Flex>
  );
}

function Loaded({ webhook }: { webhook: WebhookEndpoint }) {
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <Flex direction="column" gap="6" maxW="4xl">
      <title>{t`${new URL(webhook.url).host} · Webhooks · Orchestrate`}</title>
      <PageHeader
        title={new URL(webhook.url).host}
        description={webhook.description || t`One of your own systems, to which events are sent.`}
        action={
          <Button variant="outline" color="fg.error" onClick={() => setIsDeleting(true)}>
            <Trash2 aria-hidden />
            {t`Delete webhook`}
          </Button>
        }
      />
      {!webhook.enabled && webhook.disabledAt && (
        <AlertLine>
          {t`The portal turned it off on ${formatDateTime(webhook.disabledAt)} because deliveries had failed for days. Turn it on again once the endpoint can be reached.`}
        </AlertLine>
      )}
      <Settings webhook={webhook} />
      <SigningSecret webhook={webhook} />
      <Deliveries webhook={webhook} />
      <DeleteWebhookDialog webhook={webhook} isOpen={isDeleting} onClose={() => setIsDeleting(false)} />
    </Flex>
  );
}

function Settings({ webhook }: { webhook: WebhookEndpoint }) {
  const { run } = useWrite(updateWebhook, { invalidates: ['Webhooks'] });
  const { form, frame } = useSettingsForm<WebhookFields>({
    resolver: zodResolver(webhookFields),
    name: `webhook ${webhook.id}`,
    saved: { values: fieldsOf(webhook), version: webhook.version },
    fields: webhookEdits,
    formOf: fieldsOf,
    save: async (values, { version: ifMatch }) => {
      const input = { params: { webhookId: webhook.id }, body: bodyOf(values) };
      const { webhook: saved } = await run(input, { ifMatch });
      toast.success(t`Webhook saved`);
      return { values: fieldsOf(saved), version: saved.version };
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
            help={t`While it is off, nothing is sent. Events from that time are not sent later either.`}
          />
          <WebhookInputs form={form} />
        </Flex>
      </Section>
    </SettingsForm>
  );
}
