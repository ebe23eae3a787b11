import { Flex, Table, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import {
  listProvisioningDeliveries,
  type ProvisioningDelivery,
  resendProvisionedGroup,
  resendProvisionedPerson,
} from '@orchestrate/shared';
import { Inbox } from 'lucide-react';
import { useState } from 'react';
import {
  DeliveryBadge,
  DeliveryDetails,
  DeliveryFilter,
  type DeliveryStatus,
} from '#features/webhooks/shared/delivery-details.tsx';
import { usePages } from '#lib/api/use-pages.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTimeSeconds } from '#lib/format/dates.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import { indentJson } from '#lib/format/text.ts';
import { RefreshButton } from '#ui/feedback/refresh-button.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { ExpandableRow } from '#ui/list/expandable-row.tsx';
import { ListEnd } from '#ui/list/list-end.tsx';
import { Section } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { RawText } from '#ui/text/raw-text.tsx';
import { useOrgCode } from '../use-applications.ts';

const OPERATIONS: Readonly<Record<ProvisioningDelivery['operation'], string>> = {
  create: t`Create`,
  adopt: t`Adopt`,
  update: t`Change`,
  activate: t`Activate`,
  deactivate: t`Deactivate`,
  delete: t`Delete`,
};

/** Lists the requests to an application's SCIM service, newest first. */
export function ProvisioningLog({ appId }: { appId: string }) {
  const params = { orgCode: useOrgCode(), appId };
  const [status, setStatus] = useState<DeliveryStatus>();
  const { pages, ...list } = usePages(listProvisioningDeliveries, (lastItem) => ({
    params,
    query: { status, lastItem },
  }));
  const deliveries = pages?.flatMap((page) => page.Items);
  return (
    <Section
      title={t`Log`}
      isFlush
      aside={
        <Flex gap="2.5" align="center" wrap="wrap">
          <DeliveryFilter label={t`Filter entries`} all={t`All entries`} status={status} onChange={setStatus} />
          <RefreshButton refetch={list.refetch} />
        </Flex>
      }
    >
      {deliveries === undefined && list.refusal ? (
        <RefusalState refusal={list.refusal} onRetry={list.refetch} />
      ) : deliveries === undefined ? (
        <SkeletonRows label={t`Loading log`} />
      ) : deliveries.length === 0 ? (
        <EmptyState
          icon={Inbox}
          title={t`No requests to show`}
          description={t`The portal’s requests for people and groups appear here, with the service’s responses.`}
        />
      ) : (
        <>
          <TableFrame label={t`Log`} headings={[t`Person or group`, t`Operation`, t`Time`, t`Status`]}>
            {deliveries.map((delivery) => (
              <Row key={delivery.id} params={params} delivery={delivery} onSent={() => void list.refetch()} />
            ))}
          </TableFrame>
          <ListEnd
            list={list}
            count={deliveries.length}
            counted={plural(deliveries.length, { one: '# entry', other: '# entries' })}
          />
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
  const person = useWrite(resendProvisionedPerson);
  const group = useWrite(resendProvisionedGroup);
  const { suid, groupId } = delivery;
  const resend = async () => {
    if (suid !== null) await person.run({ params: { ...params, suid }, body: {} });
    if (groupId !== null) await group.run({ params: { ...params, groupId }, body: {} });
    onSent();
  };
  return (
    <ExpandableRow
      what={t`the requests`}
      details={
        <DeliveryDetails delivery={delivery} resending={suid === null ? group : person} onResend={resend}>
          {delivery.requests.map((request, at) => (
            <Request key={at} request={request} />
          ))}
        </DeliveryDetails>
      }
    >
      <Table.Cell fontWeight="medium">
        {delivery.name}
        {groupId !== null && (
          <Text as="span" color="fg.muted" fontWeight="normal">
            {' '}
            {t`(group)`}
          </Text>
        )}
      </Table.Cell>
      <Table.Cell>{OPERATIONS[delivery.operation]}</Table.Cell>
      <Table.Cell whiteSpace="nowrap">{formatDateTimeSeconds(delivery.at)}</Table.Cell>
      <Table.Cell>
        <DeliveryBadge status={delivery.status} />
      </Table.Cell>
    </ExpandableRow>
  );
}

function Request({ request }: { request: ProvisioningDelivery['requests'][number] }) {
  const { method, path, body, status, answer, durationMs } = request;
  const line = `${method} ${path}`;
  return (
    <Flex direction="column" gap="2">
      <Text textStyle="code" fontSize="sm" overflowWrap="anywhere">
        {`${line} → `}
        <Text as="span" color="fg.muted">
          {status === null
            ? t`no response after ${formatNumber(durationMs)} ms`
            : t`${status} in ${formatNumber(durationMs)} ms`}
        </Text>
      </Text>
      {body && <RawText label={t`Request for ${line}`} text={indentJson(body)} />}
      {answer && <RawText label={t`Response to ${line}`} text={answer} />}
    </Flex>
  );
}
