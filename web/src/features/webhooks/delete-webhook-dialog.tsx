import { t } from '@lingui/core/macro';
import { deleteWebhook, type WebhookEndpoint } from '@orchestrate/shared';
import { useNextStep } from '../../lib/address/use-next-step.ts';
import { useInvalidate, useWrite } from '../../lib/api/use-write.ts';
import { leaveFreely } from '../../lib/leaving/navigation-guard.tsx';
import { resultText } from '../../lib/notices/result-text.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { paths } from '../../paths.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface DeleteWebhookDialogProps {
  webhook: WebhookEndpoint;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks once more before a webhook is deleted and deliveries stop. */
export function DeleteWebhookDialog({ webhook: { id, url }, isOpen, onClose }: DeleteWebhookDialogProps) {
  const goOn = useNextStep();
  const invalidate = useInvalidate();
  const { run, isPending, refusal, reset } = useWrite(deleteWebhook);
  const confirm = async () => {
    try {
      await run({ params: { webhookId: id } });
    } catch {
      return;
    }
    toast.success(t`Webhook deleted`);
    leaveFreely(() => goOn(paths.webhooks));
    await invalidate('Webhooks');
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
        t`No more events are sent to it; waiting deliveries are dropped.`,
        t`Its delivery log is deleted as well.`,
        t`This cannot be undone.`,
      ]}
      error={refusal && resultText(refusal)}
    />
  );
}
