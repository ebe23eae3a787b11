import { Button, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { getScimCredentials, type ReplyOf, renewScimCredentials } from '@orchestrate/shared';
import { KeyRound, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../../lib/api/use-read.ts';
import { useWrite } from '../../lib/api/use-write.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SecretField } from '../../ui/secret-field.tsx';
import { Section } from '../../ui/section.tsx';
import { CeilingNote } from './ceiling-note.tsx';
import { ReadState } from './read-state.tsx';
import { ScimLog } from './scim-log.tsx';
import { ScimSchemas } from './scim-schemas/scim-schemas.tsx';
import { ScimTokens } from './scim-tokens.tsx';
import { SettingsSkeleton } from './settings-skeleton.tsx';

type Credentials = ReplyOf<typeof getScimCredentials> & { etag?: string };

/** The address and credentials with which a directory provisions users over SCIM (spec 2 §2). */
export default function UserProvisioningScreen() {
  const read = useRead(getScimCredentials, {});
  return (
    <Flex direction="column" gap="6" maxW="4xl">
      <title>{t`User Provisioning · Orchestrate`}</title>
      <PageHeader
        title={t`User Provisioning`}
        description={t`Lets your directory create, change and remove members over SCIM 2.0.`}
      />
      <ReadState read={read} skeleton={<SettingsSkeleton cards={[{ kind: 'fields', count: 3 }]} />}>
        {(credentials) => (
          <>
            <CredentialsPanel credentials={credentials} />
            <ScimTokens />
            <ScimSchemas />
            <ScimLog />
          </>
        )}
      </ReadState>
    </Flex>
  );
}

function CredentialsPanel({ credentials }: { credentials: Credentials }) {
  const { run, isPending, refusal, reset } = useWrite(renewScimCredentials, { invalidates: ['Provisioning'] });
  const [isAsked, setIsAsked] = useState(false);
  const { endpoint, username, password, isPasswordHidden } = credentials;
  const hasNone = username === '';

  const renew = async () => {
    try {
      await run({ body: {} }, { ifMatch: credentials.etag });
      setIsAsked(false);
      toast.success(hasNone ? t`Credentials generated` : t`New credentials generated`);
    } catch {
      // `refusal` shows why.
    }
  };
  const close = () => {
    setIsAsked(false);
    reset();
  };

  return (
    <Section
      title={t`Credentials`}
      aside={
        !hasNone && (
          <Button variant="outline" size="sm" onClick={() => setIsAsked(true)}>
            <RefreshCw aria-hidden />
            {t`Regenerate`}
          </Button>
        )
      }
    >
      <Flex direction="column" gap="5">
        <SecretField
          label={t`Endpoint`}
          help={t`Enter this in your directory as its tenant or base URL.`}
          value={endpoint}
          isSecret={false}
        />
        {hasNone ? (
          <EmptyState
            icon={KeyRound}
            title={t`There are no credentials yet`}
            description={t`Directories can connect once you generate them.`}
            action={
              <Flex direction="column" gap="3" align="center">
                <Button onClick={() => void renew()} loading={isPending} loadingText={t`Generate`}>
                  {t`Generate`}
                </Button>
                {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
              </Flex>
            }
          />
        ) : (
          <>
            <SecretField label={t`Username`} value={username} isSecret={false} />
            {isPasswordHidden ? (
              <AlertLine tone="info">
                {t`You can't view the password: these credentials can assign roles that allow more than yours.`}
              </AlertLine>
            ) : (
              <SecretField
                key={password}
                label={t`Password`}
                help={t`Sent with HTTP Basic authentication.`}
                value={password}
              />
            )}
            <CeilingNote credentials={credentials} />
          </>
        )}
      </Flex>
      <ConfirmDialog
        isOpen={isAsked}
        onClose={close}
        onConfirm={() => void renew()}
        title={t`Regenerate credentials`}
        verb={t`Regenerate`}
        consequences={[
          t`The old username and password stop working immediately.`,
          t`Your directory cannot provision anyone until you give it the new ones.`,
          t`With the new ones it can assign only the roles that you can assign, and change only the people who have them.`,
        ]}
        isDestructive
        isPending={isPending}
        error={refusal && resultText(refusal)}
      />
    </Section>
  );
}
