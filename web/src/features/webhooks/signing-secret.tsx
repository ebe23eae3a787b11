import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { readWebhookSecret, rotateWebhookSecret, type WebhookEndpoint } from '@orchestrate/shared';
import { Eye, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useWrite } from '../../lib/api/use-write.ts';
import { formatDateTime } from '../../lib/format/dates.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { portalNow } from '../../lib/time/portal-time.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { SecretField } from '../../ui/secret-field.tsx';
import { Section } from '../../ui/section.tsx';

/** The secret with which a receiver verifies that an event comes from here. Fetched only on demand. */
export function SigningSecret({ webhook: { id: webhookId, oldSecretUntil } }: { webhook: WebhookEndpoint }) {
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
      // One that was created meanwhile is newer.
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
      // `refusal` shows why.
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
              {t`Your system uses it to verify that an event comes from this portal and was not changed on the way.`}
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
            help={t`Give it to a Standard Webhooks library (standardwebhooks.com), which checks the signature of every delivery.`}
            value={secret}
          />
        )}
        {problem && <AlertLine>{problem}</AlertLine>}
        {hasOld && (
          <Text textStyle="sm" color="fg.muted">
            {t`The previous secret also signs until ${formatDateTime(oldSecretUntil)}.`}
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
          t`From now on a new secret signs every delivery.`,
          t`For 24 hours the old one signs as well, so that your system can switch over without losing an event.`,
        ]}
        isPending={rotation.isPending}
        error={rotation.refusal && resultText(rotation.refusal)}
      />
    </Section>
  );
}
