import { Button, Flex, Table, Text } from '@chakra-ui/react';
import {
  type InputOf,
  listProvisioningDeliveries,
  type ProvisioningDelivery,
  resendProvisionedPerson,
} from '@orchestrate/shared';
import { Inbox, Send } from 'lucide-react';
import { useId, useState } from 'react';
import { useWrite } from '../../../lib/api/use-endpoint.ts';
import { usePages } from '../../../lib/api/use-pages.ts';
import { formatDateTimeSeconds } from '../../../lib/format/dates.ts';
import { indentedJson } from '../../../lib/format/indented-json.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { AlertLine } from '../../../ui/alert-line.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { ExpandAction } from '../../../ui/expand-action.tsx';
import { ListEnd } from '../../../ui/list-end.tsx';
import { RawText } from '../../../ui/raw-text.tsx';
import { RefreshButton } from '../../../ui/refresh-button.tsx';
import { Section } from '../../../ui/section.tsx';
import { Select } from '../../../ui/select.tsx';
import { SkeletonRows } from '../../../ui/skeleton-rows.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { TableFrame } from '../../../ui/table-frame.tsx';
import { useOrgCode } from '../use-applications.ts';

type Status = NonNullable<InputOf<typeof listProvisioningDeliveries>['query']['status']>;

const STATES = {
  delivered: { status: 'Delivered', tone: 'success' },
  failed: { status: 'Failed', tone: 'danger' },
  waiting: { status: 'Waiting', tone: 'info' },
} as const satisfies Record<Status, object>;
const STATUSES = ['delivered', 'failed', 'waiting'] as const satisfies readonly Status[];

const OPERATIONS: Readonly<Record<ProvisioningDelivery['operation'], string>> = {
  create: 'Create',
  adopt: 'Adopt',
  update: 'Change',
  activate: 'Activate',
  deactivate: 'Deactivate',
  delete: 'Delete',
};

/** What was sent to the SCIM service of an application, newest first. */
export function ProvisioningLog({ appId }: { appId: string }) {
  const params = { orgCode: useOrgCode(), appId };
  const [status, setStatus] = useState<Status>();
  const { pages, ...list } = usePages(listProvisioningDeliveries, (previous) => {
    if (previous && !previous.LastEvaluatedKey) return null;
    const lastItem = previous?.LastEvaluatedKey ? JSON.stringify(previous.LastEvaluatedKey) : undefined;
    return { params, query: { status, lastItem } };
  });
  const deliveries = pages?.flatMap((page) => page.Items);
  return (
    <Section
      title="Log"
      isFlush
      aside={
        <Flex gap="2.5" align="center">
          <Select
            size="sm"
            width="36"
            aria-label="Entries shown"
            value={status ?? ''}
            onChange={({ target }) => setStatus(STATUSES.find((each) => each === target.value))}
          >
            <option value="">All entries</option>
            {STATUSES.map((each) => (
              <option key={each} value={each}>
                {STATES[each].status}
              </option>
            ))}
          </Select>
          <RefreshButton refetch={list.refetch} />
        </Flex>
      }
    >
      {deliveries === undefined && list.refusal ? (
        <ErrorState
          message={resultText(list.refusal)}
          requestId={list.refusal.requestId}
          onRetry={() => void list.refetch()}
        />
      ) : deliveries === undefined ? (
        <SkeletonRows label="Loading the log" />
      ) : deliveries.length === 0 ? (
        <EmptyState
          icon={Inbox}
          title="Nothing to show"
          description="Everybody who is sent is listed here with the requests and their answers."
        />
      ) : (
        <>
          <TableFrame label="Log" headings={['Person', 'What', 'Time', 'Status']}>
            {deliveries.map((delivery) => (
              <Row key={delivery.id} params={params} delivery={delivery} onSent={() => void list.refetch()} />
            ))}
          </TableFrame>
          <ListEnd list={list} count={deliveries.length} one="entry" many="entries" />
        </>
      )}
    </Section>
  );
}

interface RowProps {
  params: { orgCode: string; appId: string };
  delivery: ProvisioningDelivery;
  onSent: () => void;
}

function Row({ params, delivery, onSent }: RowProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Table.Row>
        <Table.Cell fontWeight="medium">{delivery.name}</Table.Cell>
        <Table.Cell>{OPERATIONS[delivery.operation]}</Table.Cell>
        <Table.Cell whiteSpace="nowrap">{formatDateTimeSeconds(delivery.at)}</Table.Cell>
        <Table.Cell>
          <StatusBadge {...STATES[delivery.status]} />
        </Table.Cell>
        <Table.Cell textAlign="end">
          <ExpandAction what="the requests" isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} controls={id} />
        </Table.Cell>
      </Table.Row>
      {isOpen && (
        <Table.Row id={id} bg="bg.subtle">
          <Table.Cell colSpan={5}>
            <Details params={params} delivery={delivery} onSent={onSent} />
          </Table.Cell>
        </Table.Row>
      )}
    </>
  );
}

function Details({ params, delivery, onSent }: RowProps) {
  const { suid, attempts, nextAttemptAt, error, requests } = delivery;
  const { run, isPending, refusal } = useWrite(resendProvisionedPerson);
  const resend = async () => {
    try {
      await run({ params: { ...params, suid }, body: {} });
    } catch {
      // `refusal` shows why.
      return;
    }
    onSent();
  };
  return (
    <Flex direction="column" gap="4" py="1">
      <Flex gap="4" justify="space-between" align="center" wrap="wrap">
        <Text color="fg.muted">
          {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
          {nextAttemptAt && `, the next one ${formatDateTimeSeconds(nextAttemptAt)}`}
        </Text>
        <Button size="sm" variant="outline" loading={isPending} loadingText="Send again" onClick={() => void resend()}>
          <Send aria-hidden />
          Send again
        </Button>
      </Flex>
      {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
      {error && <Text color="danger.fg">{error}</Text>}
      {requests.map((request, at) => (
        <Request key={at} request={request} />
      ))}
    </Flex>
  );
}

function Request({ request }: { request: ProvisioningDelivery['requests'][number] }) {
  const { method, path, body, status, answer, durationMs } = request;
  const line = `${method} ${path}`;
  return (
    <Flex direction="column" gap="2">
      <Text textStyle="code" fontSize="sm" overflowWrap="anywhere">
        {line}
        <Text as="span" color="fg.muted">
          {` → ${status ?? 'no answer'} in ${durationMs.toLocaleString()} ms`}
        </Text>
      </Text>
      {body && <RawText label={`What ${line} sent`} text={indentedJson(body)} />}
      {answer && <RawText label={`What ${line} answered`} text={answer} />}
    </Flex>
  );
}
