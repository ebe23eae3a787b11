import { Box, Button, chakra, Flex, Table, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  type CeilingLimit,
  createScimToken,
  getScimCredentials,
  getScimLog,
  LIMITS,
  listScimSchemas,
  listScimTokens,
  type ReplyOf,
  renewScimCredentials,
  revokeScimToken,
  type ScimLogRecord,
} from '@orchestrate/shared';
import { KeyRound, RefreshCw, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { usePages } from '#lib/api/use-pages.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTime, formatDateTimeSeconds } from '#lib/format/dates.ts';
import { formatList } from '#lib/format/numbers.ts';
import { indentJson } from '#lib/format/text.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import { SettingsSkeleton } from '#ui/editing/settings-skeleton.tsx';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { Hint } from '#ui/feedback/hint.tsx';
import { RefreshButton } from '#ui/feedback/refresh-button.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { SecretField } from '#ui/form/secret-field.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { ExpandableRow } from '#ui/list/expandable-row.tsx';
import { ListEnd } from '#ui/list/list-end.tsx';
import { Section } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { RawText } from '#ui/text/raw-text.tsx';
import { RelativeTime } from '#ui/text/relative-time.tsx';
import { TokensSection } from '#ui/tokens/tokens-section.tsx';
import { ReadState } from './read-state.tsx';
import { ScimSchemas } from './scim-schemas/scim-schemas.tsx';

/** Fetches the directory's requests page by page, newest first. */
function useScimLog() {
  const { pages, ...list } = usePages(getScimLog, (lastItem) => ({
    query: { count: LIMITS.searchPageSize, lastItem },
  }));
  return { ...list, records: pages?.flatMap((page) => page.records) };
}

/** Lists the directory's changes and rejected requests. */
function ScimLog() {
  const log = useScimLog();
  return (
    <Section title={t`Provisioning log`} isFlush aside={<RefreshButton refetch={log.refetch} />}>
      <LogContent log={log} />
    </Section>
  );
}

function LogContent({ log }: { log: ReturnType<typeof useScimLog> }) {
  const { records, refusal, refetch } = log;
  if (!records && refusal) return <RefusalState refusal={refusal} onRetry={refetch} />;
  if (!records) return <SkeletonRows label={t`Loading provisioning log`} />;
  if (records.length === 0)
    return (
      <EmptyState
        isCompact
        icon={ScrollText}
        title={t`No requests yet`}
        description={t`Changes made by your directory appear here, along with requests that the portal rejected.`}
      />
    );
  return (
    <>
      <TableFrame label={t`Provisioning log`} headings={[t`Time`, t`Operation`, t`User`, t`Status`]} last={t`Details`}>
        {records.map((record) => (
          <LogRow key={record.id} record={record} />
        ))}
      </TableFrame>
      <ListEnd
        list={log}
        count={records.length}
        counted={plural(records.length, { one: '# operation', other: '# operations' })}
      />
    </>
  );
}

function LogRow({ record: { at, operation, userName, status, body, detail } }: { record: ScimLogRecord }) {
  const hasMore = body !== '' || detail !== '';
  return (
    <ExpandableRow
      what={t`sent data`}
      disabledReason={hasMore ? undefined : t`No data sent`}
      details={
        <Flex direction="column" gap="2">
          {detail && <Text color="danger.fg">{detail}</Text>}
          {body && <RawText label={t`Request body`} text={indentJson(body)} />}
        </Flex>
      }
    >
      <Table.Cell whiteSpace="nowrap">
        <RelativeTime at={at} exact={formatDateTimeSeconds} />
      </Table.Cell>
      <Table.Cell textStyle="code" fontSize="xs" maxW="56" truncate title={operation}>
        {operation}
      </Table.Cell>
      <Table.Cell maxW="56" truncate title={userName}>
        {userName || '–'}
      </Table.Cell>
      <Table.Cell>
        <StatusBadge status={String(status)} tone={status < 400 ? 'success' : 'danger'} />
      </Table.Cell>
    </ExpandableRow>
  );
}

/** Manages bearer tokens for directories. */
function ScimTokens() {
  const { data, refusal, refetch } = useRead(listScimTokens, {});
  const making = useWrite(createScimToken);
  const revoking = useWrite(revokeScimToken);
  return (
    <TokensSection
      title={t`Tokens`}
      label={t`Tokens`}
      limit={LIMITS.scimTokens}
      read={{ tokens: data?.tokens, refusal, refetch }}
      making={making}
      revoking={revoking}
      name={{
        help: t`A label for the directory that will use this token.`,
        placeholder: t`Microsoft Entra ID`,
      }}
      none={{
        title: t`No tokens yet`,
        description: t`Some directories, such as Microsoft Entra ID, need a secret token instead of a username and password. Create one to connect them.`,
      }}
      permissions={{ heading: t`Can assign`, of: ({ roles }) => <RoleCount roles={roles} /> }}
      consequences={[t`Directories that use this token lose access immediately.`]}
    />
  );
}

/** The number of roles, with their names in a hint. A single role is named. */
function RoleCount({ roles }: { roles: readonly string[] }) {
  const [only, another] = roles;
  if (only && !another) return only;
  return (
    <Hint text={formatList(roles) || undefined}>
      <chakra.span
        tabIndex={0}
        textDecoration="underline dotted"
        textUnderlineOffset="3px"
        whiteSpace="nowrap"
        borderRadius="xs"
        outline="0"
        focusVisibleRing="outside"
      >
        {plural(roles.length, { one: '# role', other: '# roles' })}
      </chakra.span>
    </Hint>
  );
}

/** Shows who created the credentials and which roles a directory can assign with them. */
function CeilingNote({ credentials }: { credentials: ReplyOf<typeof getScimCredentials> }) {
  const { madeBy, madeAt, roles, limitedBy } = credentials;
  return (
    <Flex direction="column" gap="3">
      <Text textStyle="sm" color="fg.muted">
        {createdText(madeBy, madeAt)}.{' '}
        <Trans>
          Your directory can assign <RoleCount roles={roles} />. It can't change people with more permissions.
        </Trans>
      </Text>
      {limitedBy !== 'nothing' && <AlertLine tone="warning">{LIMITED[limitedBy]}</AlertLine>}
    </Flex>
  );
}

function createdText(by: string | null, at: string | null): string {
  if (by && at) return t`Created by ${by} on ${formatDateTime(at)}`;
  if (by) return t`Created by ${by}`;
  return at ? t`Created on ${formatDateTime(at)}` : t`Created`;
}

const LIMITED: Record<Exclude<CeilingLimit, 'nothing'>, string> = {
  'unknown-maker': t`We don't know who created these credentials, so your directory can't assign administrative roles. Regenerate them to let it assign the roles that you can assign.`,
  'maker-inactive': t`The person who created these credentials is no longer active, so your directory can't assign administrative roles. Regenerate them, because that person might still know the password.`,
  'maker-lost': t`The person who created these credentials has since lost permissions, and so has your directory. Regenerate the credentials to let it assign the roles that you can assign.`,
};

type Credentials = ReplyOf<typeof getScimCredentials> & { etag?: string };

/** Shows the endpoint and credentials for provisioning members over SCIM (spec 2 §2). */
export default function UserProvisioningScreen() {
  const read = useRead(getScimCredentials, {});
  // Requested at the same time and awaited, because lists of unknown length would move each other.
  const [tokens, schemas, log] = [useRead(listScimTokens, {}), useRead(listScimSchemas, {}), useScimLog()];
  const isWaiting = [
    [tokens.data, tokens.refusal],
    [schemas.data, schemas.refusal],
    [log.records, log.refusal],
  ].some(([data, refusal]) => !data && !refusal);
  return (
    <Page width="text">
      <title>{t`User Provisioning · Orchestrate`}</title>
      <PageHeader
        title={t`User Provisioning`}
        description={t`Let your directory create, update and remove members over SCIM 2.0.`}
      />
      <ReadState
        read={isWaiting ? { ...read, data: undefined } : read}
        skeleton={<SettingsSkeleton cards={[{ kind: 'fields', count: 3 }]} />}
      >
        {(credentials) => (
          <>
            <CredentialsPanel credentials={credentials} />
            <ScimTokens />
            <ScimSchemas />
            <ScimLog />
          </>
        )}
      </ReadState>
    </Page>
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
      // The screen shows the reason from `refusal`.
    }
  };
  const close = () => {
    setIsAsked(false);
    reset();
  };

  return (
    <Section
      isBeside
      title={t`Credentials`}
      description={t`Your directory needs these values.`}
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
          help={t`Enter this URL in your directory as the tenant or base URL.`}
          value={endpoint}
          isSecret={false}
        />
        {hasNone ? (
          <Box mx="-5" mb="-5" borderTopWidth="1px">
            <EmptyState
              isCompact
              icon={KeyRound}
              title={t`No credentials yet`}
              description={t`Generate credentials to connect your directory.`}
              action={
                <Flex direction="column" gap="3" align="flex-end">
                  <Button onClick={() => void renew()} loading={isPending} loadingText={t`Generate`}>
                    {t`Generate`}
                  </Button>
                  {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
                </Flex>
              }
            />
          </Box>
        ) : (
          <>
            <SecretField label={t`Username`} value={username} isSecret={false} />
            {isPasswordHidden ? (
              <AlertLine tone="info">
                {t`You can't view the password, because these credentials can assign roles with permissions you don't have.`}
              </AlertLine>
            ) : (
              <SecretField
                key={password}
                label={t`Password`}
                help={t`Your directory sends it with HTTP Basic authentication.`}
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
          t`Your directory can't provision anyone until you enter the new credentials there.`,
          t`With the new credentials, your directory can assign only the roles that you can assign and change only people with those roles.`,
        ]}
        isDestructive
        isPending={isPending}
        error={refusal && resultText(refusal)}
      />
    </Section>
  );
}
