import { Box, Button, chakra, Flex, Table, Text } from '@chakra-ui/react';
import { resendWebhookDelivery, testWebhook, type WebhookDelivery, type WebhookEndpoint } from '@orchestrate/shared';
import { Inbox, SearchX, Send } from 'lucide-react';
import { useId, useState } from 'react';
import { useWrite } from '../../lib/api/use-endpoint.ts';
import { formatDateTimeSeconds } from '../../lib/format/dates.ts';
import { indentedJson } from '../../lib/format/indented-json.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ExpandAction } from '../../ui/expand-action.tsx';
import { ListEnd } from '../../ui/list-end.tsx';
import { RefreshButton } from '../../ui/refresh-button.tsx';
import { Section } from '../../ui/section.tsx';
import { Select } from '../../ui/select.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { type DeliveryStatus, useDeliveries } from './use-webhooks.ts';
import { answerText, deliveryLabel, deliveryOf } from './webhook-words.ts';

const STATUSES = ['delivered', 'failed', 'waiting'] as const satisfies readonly DeliveryStatus[];

/** The deliveries of a webhook with their answers; sends a test, or a delivery once more. */
export function Deliveries({ webhook }: { webhook: WebhookEndpoint }) {
  const [status, setStatus] = useState<DeliveryStatus>();
  const list = useDeliveries(webhook.id, status);
  const test = useWrite(testWebhook, { invalidates: ['Webhooks'] });
  const [tested, setTested] = useState<WebhookDelivery>();
  const sendTest = async () => {
    setTested(undefined);
    try {
      setTested((await test.run({ params: { webhookId: webhook.id }, body: {} })).delivery);
    } catch {
      // `refusal` shows why.
    }
  };
  return (
    <Section
      title="Deliveries"
      isFlush
      aside={
        <Flex gap="2.5" align="center">
          <Select
            size="sm"
            width="36"
            aria-label="Deliveries shown"
            value={status ?? ''}
            onChange={({ target }) => setStatus(STATUSES.find((each) => each === target.value))}
          >
            <option value="">All deliveries</option>
            {STATUSES.map((each) => (
              <option key={each} value={each}>
                {deliveryOf(each).status}
              </option>
            ))}
          </Select>
          <RefreshButton refetch={list.refetch} />
          <Button size="sm" loading={test.isPending} loadingText="Send test" onClick={() => void sendTest()}>
            <Send aria-hidden />
            Send test
          </Button>
        </Flex>
      }
    >
      <Box role="status">
        {tested && <TestResult delivery={tested} />}
        {test.refusal && (
          <Box p="4" borderBottomWidth="1px">
            <AlertLine>{resultText(test.refusal)}</AlertLine>
          </Box>
        )}
      </Box>
      <Found
        webhookId={webhook.id}
        list={list}
        isFiltered={status !== undefined}
        onClear={() => setStatus(undefined)}
      />
    </Section>
  );
}

function TestResult({ delivery }: { delivery: WebhookDelivery }) {
  const isDelivered = delivery.status === 'delivered';
  return (
    <Flex gap="3" px="5" py="3.5" align="center" wrap="wrap" bg="bg.subtle" borderBottomWidth="1px">
      <StatusBadge {...(isDelivered ? deliveryOf('delivered') : deliveryOf('failed'))} />
      <Text fontWeight="medium">{isDelivered ? 'The test arrived' : 'The test did not arrive'}</Text>
      <Text color="fg.muted" overflowWrap="anywhere">
        {answerText(delivery)}
      </Text>
    </Flex>
  );
}

interface FoundProps {
  webhookId: string;
  list: ReturnType<typeof useDeliveries>;
  isFiltered: boolean;
  onClear: () => void;
}

function Found({ webhookId, list, isFiltered, onClear }: FoundProps) {
  const { deliveries, refusal, refetch } = list;
  if (!deliveries && refusal)
    return <ErrorState message={resultText(refusal)} requestId={refusal.requestId} onRetry={() => void refetch()} />;
  if (!deliveries) return <SkeletonRows label="Loading deliveries" />;
  if (deliveries.length === 0 && isFiltered)
    return (
      <EmptyState
        icon={SearchX}
        title="Nothing found"
        description="No delivery has this status."
        action={
          <Button variant="outline" onClick={onClear}>
            Show all deliveries
          </Button>
        }
      />
    );
  if (deliveries.length === 0)
    return (
      <EmptyState
        icon={Inbox}
        title="Nothing has been sent yet"
        description="Every event that is sent is listed here with what came back. “Send test” sends one at once."
      />
    );
  return (
    <>
      <Table.ScrollArea>
        <Table.Root aria-label="Deliveries">
          <Table.Header>
            <Table.Row>
              {['Event', 'Time', 'Status', 'Answer'].map((column) => (
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
            {deliveries.map((delivery) => (
              <Row key={delivery.id} webhookId={webhookId} delivery={delivery} />
            ))}
          </Table.Body>
        </Table.Root>
      </Table.ScrollArea>
      <ListEnd list={list} count={deliveries.length} one="delivery" many="deliveries" />
    </>
  );
}

function Row({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Table.Row>
        <Table.Cell fontWeight="medium">{deliveryLabel(delivery.type)}</Table.Cell>
        <Table.Cell whiteSpace="nowrap">{formatDateTimeSeconds(delivery.createdAt)}</Table.Cell>
        <Table.Cell>
          <StatusBadge {...deliveryOf(delivery.status)} />
        </Table.Cell>
        <Table.Cell maxW="56" truncate title={answerText(delivery)} color="fg.muted">
          {answerText(delivery)}
        </Table.Cell>
        <Table.Cell textAlign="end">
          <ExpandAction what="what was sent" isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} controls={id} />
        </Table.Cell>
      </Table.Row>
      {isOpen && (
        <Table.Row id={id} bg="bg.subtle">
          <Table.Cell colSpan={5}>
            <Details webhookId={webhookId} delivery={delivery} />
          </Table.Cell>
        </Table.Row>
      )}
    </>
  );
}

function Details({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const { id: deliveryId, attempts, nextAttemptAt, error, responseBody, payload } = delivery;
  const { run, isPending, refusal } = useWrite(resendWebhookDelivery, { invalidates: ['Webhooks'] });
  const resend = async () => {
    try {
      await run({ params: { webhookId, deliveryId }, body: {} });
    } catch {
      // `refusal` shows why.
    }
  };
  return (
    <Flex direction="column" gap="4" py="1">
      <Flex gap="4" justify="space-between" align="center" wrap="wrap">
        <Text color="fg.muted">
          {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
          {nextAttemptAt && `, the next one ${formatDateTimeSeconds(nextAttemptAt)}`}
          {' · '}
          <chakra.span textStyle="code" fontSize="xs">
            {deliveryId}
          </chakra.span>
        </Text>
        <Button size="sm" variant="outline" loading={isPending} loadingText="Send again" onClick={() => void resend()}>
          <Send aria-hidden />
          Send again
        </Button>
      </Flex>
      {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
      {error && <Text color="danger.fg">{error}</Text>}
      <Raw label="What was sent" text={indentedJson(payload)} />
      {responseBody && <Raw label="What came back" text={responseBody} />}
    </Flex>
  );
}

function Raw({ label, text }: { label: string; text: string }) {
  return (
    <Flex direction="column" gap="1.5">
      <Text textStyle="sm" fontWeight="medium">
        {label}
      </Text>
      <chakra.pre
        textStyle="code"
        fontSize="xs"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        maxH="72"
        overflowY="auto"
        p="3"
        bg="bg.panel"
        borderWidth="1px"
        borderRadius="l2"
        // Focusable, because it scrolls.
        tabIndex={0}
        role="group"
        aria-label={label}
      >
        {text}
      </chakra.pre>
    </Flex>
  );
}
