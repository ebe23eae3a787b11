import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import {
  type AnyFault,
  clearFaults,
  clearSocketFaults,
  type FaultMatch,
  readFaults,
  readSocketFaults,
  type SocketFault,
} from '@orchestrate/shared';
import { X } from 'lucide-react';
import { useWrite } from '../../lib/api/use-endpoint.ts';
import { formatDateTimeSeconds } from '../../lib/format/dates.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Section } from '../../ui/section.tsx';
import { useFollowed } from '../lab-news.tsx';
import { FaultForm } from './fault-form.tsx';
import { SOCKET_ACTS, SocketFaultForm } from './socket-fault-form.tsx';

/** Faults of calls and of sockets: set, waiting, and fired. */
export function FaultsSection() {
  const calls = useFollowed(readFaults, {});
  const sockets = useFollowed(readSocketFaults, {});
  const clearing = useWrite(clearFaults);
  const clearingSockets = useWrite(clearSocketFaults);
  const { faults = [], fired = [] } = calls.data ?? {};
  const socketFaults = sockets.data?.faults ?? [];

  const clear = async (match: Partial<FaultMatch> = {}) => {
    // One that is not there any more has just fired, as the list is about to show.
    await clearing.run({ query: match }).catch(() => undefined);
    await calls.refetch();
  };
  const clearSockets = async () => {
    await clearingSockets.run({}).catch(() => undefined);
    await sockets.refetch();
  };
  return (
    <Flex direction="column" gap="5" gridColumn={{ sm: 'span 2' }} minW="0">
      <Section
        title="Faults of calls"
        aside={faults.length + fired.length > 0 && <Remove label="Remove all faults" onClick={() => void clear()} />}
      >
        <Flex direction="column" gap="5">
          <FaultForm onAdded={() => void calls.refetch()} />
          <Lines
            label="Faults that wait"
            none="No fault waits."
            lines={faults.map((fault) => ({ ...faultLine(fault), onRemove: () => void clear(matchOf(fault)) }))}
          />
          {fired.length > 0 && (
            <Lines
              label="Faults that have fired"
              none=""
              lines={fired.map(({ method, path, at, fault }) => ({
                what: `${method} ${path}`,
                how: `${answerOf(fault)}, ${formatDateTimeSeconds(at)}`,
              }))}
            />
          )}
        </Flex>
      </Section>
      <Section
        title="Faults of sockets"
        aside={
          socketFaults.length > 0 && <Remove label="Remove all socket faults" onClick={() => void clearSockets()} />
        }
      >
        <Flex direction="column" gap="5">
          <SocketFaultForm onAdded={() => void sockets.refetch()} />
          <Lines label="Socket faults that wait" none="No socket fault waits." lines={socketFaults.map(socketLine)} />
        </Flex>
      </Section>
    </Flex>
  );
}

interface Line {
  what: string;
  how: string;
  onRemove?: () => void;
}

/** The match of a fault, in full or in short. */
const matchOf = (given: AnyFault): FaultMatch =>
  'match' in given ? given.match : { method: given.method, path: `/api${given.path}` };

const countText = (times: number) => (times === 1 ? 'once' : `${times} times`);

/** What a fault answers, in short. */
function answerOf(given: AnyFault): string {
  if (!('match' in given)) return String(given.status);
  const { delayMs, ...answer } = given.answer;
  const [first] = Object.entries(answer);
  const late = delayMs === undefined ? [] : [`${delayMs} ms late`];
  const what = first ? [first[1] === true ? first[0] : String(answer.status ?? first[1])] : [];
  return [...what, ...late].join(', ');
}

function faultLine(given: AnyFault): Line {
  const { times } = given;
  if (!('match' in given)) {
    return { what: `${given.method} /api${given.path}`, how: `${answerOf(given)}, ${countText(times)}` };
  }
  const { method, path, email, org } = given.match;
  const after = given.after === 0 ? '' : `, after ${given.after} ${given.after === 1 ? 'other' : 'others'}`;
  return {
    what: [method, path, email, org].filter(Boolean).join(' '),
    how: `${answerOf(given)}, ${countText(times)}${after}`,
  };
}

function socketLine({ channel, do: act, code, ms, state, times }: SocketFault): Line {
  const details = [code, ms === undefined ? undefined : `${ms} ms`, countText(times)].filter(
    (part) => part !== undefined,
  );
  return {
    what: `/ws/${channel}${state === undefined ? '' : ` in the state ${state}`}`,
    how: `${SOCKET_ACTS[act]}, ${details.join(', ')}`,
  };
}

function Lines({ label, none, lines }: { label: string; none: string; lines: Line[] }) {
  if (lines.length === 0) return <Text color="fg.muted">{none}</Text>;
  return (
    <Flex direction="column" gap="2">
      <Text fontWeight="medium">{label}</Text>
      <chakra.ul aria-label={label} display="flex" flexDirection="column" gap="2" listStyleType="none">
        {lines.map(({ what, how, onRemove }, at) => (
          <chakra.li key={at} display="flex" columnGap="3" alignItems="center">
            <Flex flex="1" minW="0" flexWrap="wrap" columnGap="3" justifyContent="space-between">
              <Text textStyle="code" fontSize="sm" overflowWrap="anywhere">
                {what}
              </Text>
              <Text textStyle="sm" color="fg.muted">
                {how}
              </Text>
            </Flex>
            {onRemove && (
              <ActionButton label={`Remove the fault at ${what}`} onClick={onRemove}>
                <X />
              </ActionButton>
            )}
          </chakra.li>
        ))}
      </chakra.ul>
    </Flex>
  );
}

function Remove({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="ghost" size="sm" onClick={onClick}>
      {label}
    </Button>
  );
}
