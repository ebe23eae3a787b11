import { Button, chakra, Flex } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { createWebhook, type WebhookEndpoint } from '@orchestrate/shared';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { useWrite } from '../../lib/api/use-endpoint.ts';
import { showRefusal } from '../../lib/notices/show-refusal.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { Modal } from '../../ui/modal.tsx';
import { bodyOf, NEW_WEBHOOK, type WebhookFields, webhookFields } from './webhook-fields.ts';
import { WebhookInputs } from './webhook-inputs.tsx';

interface AddWebhookDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onAdded: (webhook: WebhookEndpoint) => void;
}

/** Adds a webhook and opens its page, which shows the secret. */
export function AddWebhookDialog({ isOpen, onClose, onAdded }: AddWebhookDialogProps) {
  const formId = useId();
  const { run } = useWrite(createWebhook, { invalidates: ['Webhooks'] });
  const form = useForm<WebhookFields, unknown, WebhookFields>({
    resolver: zodResolver(webhookFields),
    mode: 'onTouched',
    defaultValues: NEW_WEBHOOK,
  });
  const { errors, isDirty, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    try {
      const { webhook } = await run({ body: bodyOf(values) });
      toast.success('Webhook added');
      onAdded(webhook);
    } catch (failure) {
      showRefusal(form, failure);
    }
  });
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={() => form.reset(NEW_WEBHOOK)}
      title="Add webhook"
      description="Once it is added, its page shows the secret that signs each delivery."
      size="lg"
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} disabled={!isDirty} loading={isSubmitting} loadingText="Add webhook">
            Add webhook
          </Button>
        </>
      }
    >
      <chakra.form id={formId} noValidate onSubmit={(event) => void submit(event)}>
        <Flex direction="column" gap="5">
          <WebhookInputs form={form} />
          {errors.root && <AlertLine>{errors.root.message}</AlertLine>}
        </Flex>
      </chakra.form>
    </Modal>
  );
}
