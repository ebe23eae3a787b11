import { Box, Button, chakra, Flex, Table, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { resendWebhookDelivery, testWebhook, type WebhookDelivery, type WebhookEndpoint } from '@orchestrate/shared';
import { Inbox, Send } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTimeSeconds } from '#lib/format/dates.ts';
import { indentJson } from '#lib/format/text.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { RefreshButton } from '#ui/feedback/refresh-button.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { EmptyState, NoMatches } from '#ui/list/empty-state.tsx';
import { ExpandableRow } from '#ui/list/expandable-row.tsx';
import { ListEnd } from '#ui/list/list-end.tsx';
import { Section } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { RawText } from '#ui/text/raw-text.tsx';
import { RelativeTime } from '#ui/text/relative-time.tsx';
import { DeliveryBadge, DeliveryDetails, DeliveryFilter, type DeliveryStatus } from './shared/delivery-details.tsx';
import { useDeliveries } from './use-webhooks.ts';
import { deliveryLabel, responseSummary } from './webhook-words.ts';

/** Lists a webhook's deliveries with their responses, with buttons to send a test or resend a delivery. */
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
      // The page displays `test.refusal`.
    }
  };
  return (
    <Section
      title={t`Deliveries`}
      isFlush
      aside={
        <Flex gap="2.5" align="center" wrap="wrap">
          <DeliveryFilter label={t`Filter deliveries`} all={t`All deliveries`} status={status} onChange={setStatus} />
          <RefreshButton refetch={list.refetch} />
          <Button
            variant="outline"
            size="sm"
            loading={test.isPending}
            loadingText={t`Send test`}
            onClick={() => void sendTest()}
          >
            <Send aria-hidden />
            {t`Send test`}
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
      <Results
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
      <DeliveryBadge status={isDelivered ? 'delivered' : 'failed'} />
      <Text fontWeight="medium">{isDelivered ? t`Test delivered` : t`Test not delivered`}</Text>
      <Text color="fg.muted" overflowWrap="anywhere">
        {responseSummary(delivery)}
      </Text>
    </Flex>
  );
}

interface ResultsProps {
  webhookId: string;
  list: ReturnType<typeof useDeliveries>;
  isFiltered: boolean;
  onClear: () => void;
}

function Results({ webhookId, list, isFiltered, onClear }: ResultsProps) {
  const { deliveries, refusal, refetch } = list;
  if (!deliveries && refusal) return <RefusalState refusal={refusal} onRetry={refetch} />;
  if (!deliveries) return <SkeletonRows label={t`Loading deliveries`} />;
  if (deliveries.length === 0 && isFiltered)
    return (
      <NoMatches
        title={t`No matching deliveries`}
        description={t`No deliveries have this status.`}
        action={
          <Button variant="outline" onClick={onClear}>
            {t`Show all deliveries`}
          </Button>
        }
      />
    );
  if (deliveries.length === 0)
    return (
      <EmptyState
        icon={Inbox}
        title={t`No deliveries yet`}
        description={t`Deliveries and their responses appear here. To send an event now, choose “Send test”.`}
      />
    );
  return (
    <>
      <TableFrame label={t`Deliveries`} headings={[t`Event`, t`Time`, t`Status`, t`Answer`]} last={t`Details`}>
        {deliveries.map((delivery) => (
          <Row key={delivery.id} webhookId={webhookId} delivery={delivery} />
        ))}
      </TableFrame>
      <ListEnd
        list={list}
        count={deliveries.length}
        counted={plural(deliveries.length, { one: '# delivery', other: '# deliveries' })}
      />
    </>
  );
}

function Row({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const { id: deliveryId, responseBody, payload } = delivery;
  const resending = useWrite(resendWebhookDelivery, { invalidates: ['Webhooks'] });
  return (
    <ExpandableRow
      what={t`sent data`}
      details={
        <DeliveryDetails
          delivery={delivery}
          resending={resending}
          onResend={() => resending.run({ params: { webhookId, deliveryId }, body: {} })}
          id={
            <>
              {' · '}
              <chakra.span textStyle="code" fontSize="xs">
                {deliveryId}
              </chakra.span>
            </>
          }
        >
          <Raw label={t`Request body`} text={indentJson(payload)} />
          {responseBody && <Raw label={t`Response`} text={responseBody} />}
        </DeliveryDetails>
      }
    >
      <Table.Cell fontWeight="medium">{deliveryLabel(delivery.type)}</Table.Cell>
      <Table.Cell whiteSpace="nowrap">
        <RelativeTime at={delivery.createdAt} exact={formatDateTimeSeconds} />
      </Table.Cell>
      <Table.Cell>
        <DeliveryBadge status={delivery.status} />
      </Table.Cell>
      <Table.Cell maxW="56" truncate title={responseSummary(delivery)} color="fg.muted">
        {responseSummary(delivery)}
      </Table.Cell>
    </ExpandableRow>
  );
}

function Raw({ label, text }: { label: string; text: string }) {
  return (
    <Flex direction="column" gap="1.5">
      <Text textStyle="sm" fontWeight="medium">
        {label}
      </Text>
      <RawText label={label} text={text} />
    </Flex>
  );
}
