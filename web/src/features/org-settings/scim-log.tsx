import { chakra, Flex, Table, Text } from '@chakra-ui/react';
import type { ScimLogRecord } from '@orchestrate/shared';
import { ScrollText } from 'lucide-react';
import { useId, useState } from 'react';
import { formatDateTimeSeconds } from '../../lib/format/dates.ts';
import { indentedJson } from '../../lib/format/indented-json.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ExpandAction } from '../../ui/expand-action.tsx';
import { ListEnd } from '../../ui/list-end.tsx';
import { RefreshButton } from '../../ui/refresh-button.tsx';
import { Section } from '../../ui/section.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useScimLog } from './use-scim-log.ts';

/** The directory's changes and refused requests. */
export function ScimLog() {
  const log = useScimLog();
  return (
    <Section title="Provisioning log" isFlush aside={<RefreshButton refetch={log.refetch} />}>
      <LogContent log={log} />
    </Section>
  );
}

function LogContent({ log }: { log: ReturnType<typeof useScimLog> }) {
  const { records, refusal, refetch } = log;
  if (!records && refusal)
    return <ErrorState message={resultText(refusal)} requestId={refusal.requestId} onRetry={() => void refetch()} />;
  if (!records) return <SkeletonRows label="Loading the provisioning log" />;
  if (records.length === 0)
    return (
      <EmptyState
        icon={ScrollText}
        title="Nothing has been provisioned yet"
        description="What your directory creates and changes is listed here, along with what was refused."
      />
    );
  return (
    <>
      <LogTable records={records} />
      <ListEnd list={log} count={records.length} one="operation" many="operations" />
    </>
  );
}

const COLUMNS = ['Time', 'Operation', 'User', 'Status'];

function LogTable({ records }: { records: readonly ScimLogRecord[] }) {
  return (
    <Table.ScrollArea>
      <Table.Root aria-label="Provisioning log">
        <Table.Header>
          <Table.Row>
            {COLUMNS.map((column) => (
              <Table.ColumnHeader key={column} scope="col">
                {column}
              </Table.ColumnHeader>
            ))}
            <Table.ColumnHeader scope="col" textAlign="end">
              Details
            </Table.ColumnHeader>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {records.map((record) => (
            <LogRow key={record.id} record={record} />
          ))}
        </Table.Body>
      </Table.Root>
    </Table.ScrollArea>
  );
}

function LogRow({ record: { at, operation, userName, status, body, detail } }: { record: ScimLogRecord }) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const hasMore = body !== '' || detail !== '';
  return (
    <>
      <Table.Row>
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
        <Table.Cell textAlign="end">
          <ExpandAction
            what="what was sent"
            isOpen={isOpen}
            onToggle={() => setIsOpen(!isOpen)}
            controls={id}
            disabledReason={hasMore ? undefined : 'Nothing was sent'}
          />
        </Table.Cell>
      </Table.Row>
      {isOpen && (
        <Table.Row id={id} bg="bg.subtle">
          <Table.Cell colSpan={COLUMNS.length + 1}>
            <Flex direction="column" gap="2">
              {detail && <Text color="danger.fg">{detail}</Text>}
              {body && (
                <chakra.pre
                  textStyle="code"
                  fontSize="xs"
                  whiteSpace="pre-wrap"
                  overflowWrap="anywhere"
                  maxH="80"
                  overflowY="auto"
                  // Focusable, because it scrolls.
                  tabIndex={0}
                  role="group"
                  aria-label="What was sent"
                >
                  {indentedJson(body)}
                </chakra.pre>
              )}
            </Flex>
          </Table.Cell>
        </Table.Row>
      )}
    </>
  );
}
