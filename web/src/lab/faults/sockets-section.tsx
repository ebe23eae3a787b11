import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { clearSocketFaults, readSocketFaults, type SocketFault } from '@orchestrate/shared';
import { Unplug } from 'lucide-react';
import { useWrite } from '../../lib/api/use-write.ts';
import { formatDateTimeSeconds } from '../../lib/format/dates.ts';
import { dotted } from '../../lib/format/dotted.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyList } from '../empty-list.tsx';
import { useFollowed } from '../lab-news.tsx';
import { LineList } from '../line-list.tsx';
import { countText } from './fault-text.ts';
import { SOCKET_ACTS, SocketFaultForm } from './socket-fault-form.tsx';

/** Faults of live connections: set, waiting, and fired. */
export function SocketsSection() {
  const { data, refetch } = useFollowed(readSocketFaults, {});
  const { run } = useWrite(clearSocketFaults);
  const { faults = [], fired = [] } = data ?? {};
  const clear = async () => {
    await run({}).catch(() => undefined);
    await refetch();
  };
  return (
    <>
      <PageHeader
        title={t`Sockets`}
        description={t`Refuse, cut or close live connections; delay, repeat, lose or reorder their messages.`}
      />
      <Section title={t`A socket fault`}>
        <SocketFaultForm onAdded={() => void refetch()} />
      </Section>
      <Section
        title={t`Waiting`}
        isFlush
        aside={
          faults.length + fired.length > 0 && (
            <Button variant="ghost" size="sm" onClick={() => void clear()}>
              {t`Remove all socket faults`}
            </Button>
          )
        }
      >
        {faults.length > 0 ? (
          <LineList
            label={t`Waiting socket faults`}
            isCode
            lines={faults.map((fault) => ({
              what: placeOf(fault),
              how: `${actOf(fault)}, ${countText(fault.times)}`,
            }))}
          />
        ) : (
          <EmptyList
            isRead={data !== undefined}
            icon={Unplug}
            title={t`No socket faults waiting`}
            description={t`Connections and messages are left alone.`}
          />
        )}
      </Section>
      {fired.length > 0 && (
        <Section title={t`Fired`} isFlush>
          <LineList
            label={t`Fired socket faults`}
            isCode
            lines={fired.map(({ at, fault }) => ({
              what: placeOf(fault),
              how: dotted(actOf(fault), formatDateTimeSeconds(at)),
            }))}
          />
        </Section>
      )}
    </>
  );
}

const placeOf = ({ channel, state }: SocketFault): string =>
  state === undefined ? `/ws/${channel}` : t`/ws/${channel}, state ${state}`;

function actOf({ do: act, code, ms }: SocketFault): string {
  if (code !== undefined) return t`the connection is closed with the code ${code}`;
  const words = SOCKET_ACTS[act];
  return ms === undefined ? words : t`${words}, by ${ms} ms`;
}
