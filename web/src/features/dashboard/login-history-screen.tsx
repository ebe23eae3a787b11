import { chakra, Flex, Table } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import type { LoginRecord } from '@orchestrate/shared';
import { History, Lock } from 'lucide-react';
import { useState } from 'react';
import { useIsDesktop } from '../../lib/browser/use-media.ts';
import { formatDateTime } from '../../lib/format/dates.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { LoginDeviceIcon, LoginEntry, LoginStatus, loginDeviceLabel } from '../../login-history/login-entry.tsx';
import { loginModeLabel } from '../../login-history/login-mode-label.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListEnd } from '../../ui/list-end.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RefusalState } from '../../ui/refusal-state.tsx';
import { Section } from '../../ui/section.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { TableFrame } from '../../ui/table-frame.tsx';
import { DisownButton, DisownDialogs } from './disown-login.tsx';
import { useLoginHistory } from './use-login-history.ts';

/** Every sign-in of the signed-in person. */
export default function LoginHistoryScreen() {
  const [disowned, setDisowned] = useState<LoginRecord>();
  return (
    <Flex direction="column" gap="6">
      <title>{t`Login History · Orchestrate`}</title>
      <PageHeader title={t`Login History`} description={t`Every sign-in with your devices, newest first.`} />
      <Section isFlush>
        <AllLogins onDisown={setDisowned} />
      </Section>
      <DisownDialogs record={disowned} onClose={() => setDisowned(undefined)} />
    </Flex>
  );
}

/** Opens the report that a sign-in was somebody else's. */
type OnDisown = (record: LoginRecord) => void;

function AllLogins({ onDisown }: { onDisown: OnDisown }) {
  const list = useLoginHistory();
  const { records, refusal, refetch } = list;
  const isDesktop = useIsDesktop();
  if (!records && refusal?.status === 403)
    return <EmptyState icon={Lock} title={t`You can't view this history`} description={resultText(refusal)} />;
  if (!records && refusal) return <RefusalState refusal={refusal} onRetry={refetch} />;
  if (!records) return <SkeletonRows label={t`Loading the login history`} />;
  if (records.length === 0)
    return <EmptyState icon={History} title={t`No sign-ins yet`} description={t`Each sign-in is listed here.`} />;
  return (
    <>
      {isDesktop ? (
        <LoginTable records={records} onDisown={onDisown} />
      ) : (
        <LoginList records={records} onDisown={onDisown} />
      )}
      <ListEnd
        list={list}
        count={records.length}
        counted={plural(records.length, { one: '# sign-in', other: '# sign-ins' })}
      />
    </>
  );
}

interface LoginListProps {
  records: LoginRecord[];
  onDisown: OnDisown;
}

function LoginList({ records, onDisown }: LoginListProps) {
  return (
    <chakra.ul listStyleType="none">
      {records.map((record) => (
        <LoginEntry key={record.id} record={record} action={<DisownButton record={record} onAsk={onDisown} />} />
      ))}
    </chakra.ul>
  );
}

const COLUMNS = [t`Device`, t`Application`, t`Time`, t`How`, t`Address`, t`Result`];

function LoginTable({ records, onDisown }: LoginListProps) {
  return (
    <TableFrame label={t`Login History`} headings={COLUMNS} last={null} room={56}>
      {records.map((record) => (
        <Table.Row key={record.id}>
          <Table.Cell>
            <Flex align="center" gap="3" fontWeight="semibold">
              <LoginDeviceIcon type={record.deviceType} />
              {loginDeviceLabel(record)}
            </Flex>
          </Table.Cell>
          <Table.Cell>{record.appName}</Table.Cell>
          <Table.Cell whiteSpace="nowrap">{formatDateTime(record.timestamp)}</Table.Cell>
          <Table.Cell color="fg.muted">{loginModeLabel(record.mode)}</Table.Cell>
          <Table.Cell color="fg.muted" fontVariantNumeric="tabular-nums">
            {record.ip}
          </Table.Cell>
          <Table.Cell>
            <Flex align="center" justify="space-between" gap="1">
              <LoginStatus status={record.loginStatus} />
              <DisownButton record={record} onAsk={onDisown} />
            </Flex>
          </Table.Cell>
        </Table.Row>
      ))}
    </TableFrame>
  );
}
