import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { AuditEvent } from '@orchestrate/shared';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatDateTimeSeconds } from '../lib/format/dates.ts';
import { inSentence } from '../lib/format/in-sentence.ts';
import { useCan } from '../lib/session/session.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { type ActivityAddress, activityPath } from './activity-address.ts';
import { ChangesTable } from './changes-table.tsx';
import { actorKindLabels, actorModeLabel, actorName, objectName, objectTypeLabel } from './event-words.ts';

/** Everything recorded about a change, with links to the other events of the person or the thing. */
export function EventDetails({ event }: { event: AuditEvent }) {
  const { actor, object, changes } = event;
  return (
    <Flex direction="column" gap="4" ps="17" pe="5" pt="1" pb="5">
      <chakra.dl display="grid" gridTemplateColumns="max-content minmax(0, 1fr)" columnGap="5" rowGap="1.5">
        <Fact name={t`Who`}>
          {actorName(actor)}
          {actor.name && <Muted>{actorKindLabels[actor.kind]}</Muted>}
        </Fact>
        {actor.mode && <Fact name={t`Signed in by`}>{actorModeLabel(actor.mode)}</Fact>}
        {actor.ip && (
          <Fact name={t({ message: 'From', context: 'where an action came from' })}>
            <chakra.span textStyle="code" fontSize="sm">
              {actor.ip}
            </chakra.span>
          </Fact>
        )}
        <Fact name={t`When`}>{formatDateTimeSeconds(event.at)}</Fact>
        <Fact name={objectTypeLabel(object.type)}>
          {objectName(object) || '—'}
          {object.id && (
            <>
              <Muted>
                <chakra.span textStyle="code" fontSize="xs">
                  {object.id}
                </chakra.span>
              </Muted>
              <CopyButton text={object.id} label={t`Copy id`} size="xs" />
            </>
          )}
        </Fact>
      </chakra.dl>
      {changes.length > 0 && <ChangesTable label={t`What changed`} type={object.type} changes={changes} />}
      <MoreOf event={event} />
    </Flex>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <chakra.dt color="fg.muted">{name}</chakra.dt>
      <chakra.dd display="flex" flexWrap="wrap" alignItems="center" columnGap="2" minW="0" overflowWrap="anywhere">
        {children}
      </chakra.dd>
    </>
  );
}

const Muted = ({ children }: { children: ReactNode }) => (
  <Text as="span" color="fg.muted">
    {children}
  </Text>
);

/** For readers of the whole list. */
function MoreOf({ event: { actor, object } }: { event: AuditEvent }) {
  if (!useCan('SESSION_MANAGEMENT')) return null;
  return (
    <Flex gap="2.5" wrap="wrap">
      {actor.suid && <MoreLink filters={{ actor: actor.suid }}>{t`All by ${actorName(actor)}`}</MoreLink>}
      {object.id && (
        <MoreLink filters={{ objectType: object.type, objectId: object.id }}>
          {t`All about ${objectName(object) || t`this ${inSentence(objectTypeLabel(object.type))}`}`}
        </MoreLink>
      )}
    </Flex>
  );
}

function MoreLink({ filters, children }: { filters: ActivityAddress; children: string }) {
  return (
    <Button asChild variant="outline" size="sm">
      <Link to={activityPath(filters)}>{children}</Link>
    </Button>
  );
}
