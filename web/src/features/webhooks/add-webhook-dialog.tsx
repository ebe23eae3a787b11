import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { createWebhook, type WebhookEndpoint } from '@orchestrate/shared';
import { useForm } from 'react-hook-form';
import { useTypedDraft } from '../../editing/use-typed-draft.tsx';
import { useWrite } from '../../lib/api/use-write.ts';
import { showRefusal } from '../../lib/notices/show-refusal.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { FormModal } from '../../ui/form-modal.tsx';
import { bodyOf, NEW_WEBHOOK, type WebhookFields, webhookFields } from './webhook-fields.ts';
import { WebhookInputs } from './webhook-inputs.tsx';

interface AddWebhookDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onAdded: (webhook: WebhookEndpoint) => void;
}

/** Adds a webhook and opens its page, which shows the secret. */
export function AddWebhookDialog({ isOpen, onClose, onAdded }: AddWebhookDialogProps) {
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
      const { webhook } = await run({ body: bodyOf(values) });
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
      description={t`Once it is added, its page shows the secret that signs each delivery.`}
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
