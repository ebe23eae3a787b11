import { Box, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { ConfigurationDifference } from '@orchestrate/shared';
import type { ReactNode } from 'react';
import { ChangesTable } from '../../events/changes-table.tsx';
import { EventIcon } from '../../events/event-icon.tsx';
import { objectName, objectTypeLabel } from '../../events/event-words.ts';
import { MAIL_TITLES } from '../../mails/mail-titles.ts';
import { MistakeList } from '../../ui/mistake-list.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

type Thing = ConfigurationDifference['kept'][number];

/** Things whose name says nothing, or is that of their type. */
function titleOf({ type, id, name }: Thing): string {
  if (type === 'mail-language') return objectTypeLabel(type);
  // The words of a mail in another language than English have that behind its name, e.g. `invitation.de`.
  const [known, language] = id.split('.');
  const title = type === 'mail-text' && Object.entries(MAIL_TITLES).find(([mail]) => mail === known)?.[1];
  if (!title) return objectName({ type, name });
  return language === 'de' ? t`${title} in German` : title;
}

/** What an import would change, leave out and leave alone. */
export function Difference({ difference: { changes, leftOut, kept } }: { difference: ConfigurationDifference }) {
  return (
    <Flex direction="column" gap="6">
      {changes.length > 0 && (
        <chakra.ul aria-label={t`What would change`} listStyleType="none" display="flex" flexDirection="column" gap="5">
          {changes.map(({ action, object, changes: fields }) => (
            <chakra.li key={`${object.type} ${object.id}`} display="flex" flexDirection="column" gap="2.5">
              <Flex align="center" gap="2.5" wrap="wrap">
                <Box color="fg.muted">
                  <EventIcon type={object.type} />
                </Box>
                <Heading as="h3" size="xs">
                  {titleOf(object)}
                </Heading>
                {titleOf(object) !== objectTypeLabel(object.type) && (
                  <Text color="fg.muted">{objectTypeLabel(object.type)}</Text>
                )}
                {action.endsWith('.created') ? (
                  <StatusBadge status={t`New`} tone="success" />
                ) : (
                  <StatusBadge status={t`Changed`} tone="info" />
                )}
              </Flex>
              <ChangesTable label={t`What would change: ${titleOf(object)}`} type={object.type} changes={fields} />
            </chakra.li>
          ))}
        </chakra.ul>
      )}
      {leftOut.length > 0 && (
        <Part title={t`In the file, and not imported`}>
          <MistakeList label={t`In the file, and not imported`} mistakes={leftOut} />
        </Part>
      )}
      {kept.length > 0 && (
        <Part title={t`Not in the file, and left as it is`}>
          <chakra.ul listStyleType="none" display="flex" flexWrap="wrap" columnGap="5" rowGap="1" textStyle="sm">
            {kept.map((thing) => (
              <li key={`${thing.type} ${thing.id}`}>
                {titleOf(thing)}{' '}
                <Text as="span" color="fg.muted">
                  {objectTypeLabel(thing.type)}
                </Text>
              </li>
            ))}
          </chakra.ul>
        </Part>
      )}
    </Flex>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Flex direction="column" gap="2.5">
      <Heading as="h3" size="xs">
        {title}
      </Heading>
      {children}
    </Flex>
  );
}
