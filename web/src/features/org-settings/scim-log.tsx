import { Flex, Table, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import type { ScimLogRecord } from '@orchestrate/shared';
import { ScrollText } from 'lucide-react';
import { formatDateTimeSeconds } from '../../lib/format/dates.ts';
import { indentedJson } from '../../lib/format/indented-json.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExpandableRow } from '../../ui/expandable-row.tsx';
import { ListEnd } from '../../ui/list-end.tsx';
import { RawText } from '../../ui/raw-text.tsx';
import { RefreshButton } from '../../ui/refresh-button.tsx';
import { RefusalState } from '../../ui/refusal-state.tsx';
import { Section } from '../../ui/section.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TableFrame } from '../../ui/table-frame.tsx';
import { useScimLog } from './use-scim-log.ts';

/** The directory's changes and refused requests. */
export function ScimLog() {
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
  if (!records) return <SkeletonRows label={t`Loading the provisioning log`} />;
  if (records.length === 0)
    return (
      <EmptyState
        icon={ScrollText}
        title={t`Nothing has been provisioned yet`}
        description={t`What your directory creates and changes is listed here, along with what was refused.`}
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
      what={t`what was sent`}
      disabledReason={hasMore ? undefined : t`Nothing was sent`}
      details={
        <Flex direction="column" gap="2">
          {detail && <Text color="danger.fg">{detail}</Text>}
          {body && <RawText label={t`What was sent`} text={indentedJson(body)} />}
        </Flex>
      }
    >
      <Table.Cell whiteSpace="nowrap">{formatDateTimeSeconds(at)}</Table.Cell>
      <Table.Cell textStyle="code" fontSize="xs" maxW="56" truncate title={operation}>
        {operation}
      </Table.Cell>
      <Table.Cell maxW="56" truncate title={userName}>
        {userName || '—'}
      </Table.Cell>
      <Table.Cell>
        <StatusBadge status={String(status)} tone={status < 400 ? 'success' : 'danger'} />
      </Table.Cell>
    </ExpandableRow>
  );
}
