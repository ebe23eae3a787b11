import { Flex, Text } from '@chakra-ui/react';
import type { CeilingLimit, getScimCredentials, ReplyOf } from '@orchestrate/shared';
import { formatDateTime } from '../../lib/format/dates.ts';
import { AlertLine } from '../../ui/alert-line.tsx';

/** Who made the credentials, and which roles a directory can give with them at most. */
export function CeilingNote({ credentials }: { credentials: ReplyOf<typeof getScimCredentials> }) {
  const { madeBy, madeAt, roles, limitedBy } = credentials;
  const made = [madeBy && `by ${madeBy}`, madeAt && `on ${formatDateTime(madeAt)}`].filter(Boolean).join(' ');
  return (
    <Flex direction="column" gap="3">
      <Text textStyle="sm" color="fg.muted">
        Made {made}; can give {roles.length === 1 ? 'the role' : 'the roles'} {inWords.format(roles)}. People who may do
        more are not changed by the directory.
      </Text>
      {limitedBy !== 'nothing' && <AlertLine tone="warning">{LIMITED[limitedBy]}</AlertLine>}
    </Flex>
  );
}

const inWords = new Intl.ListFormat('en', { type: 'conjunction' });

const LIMITED: Record<Exclude<CeilingLimit, 'nothing'>, string> = {
  'unknown-maker':
    'It is not known who made these credentials, so they cannot assign an administrative role. Regenerate them to let your directory assign the roles that you can assign.',
  'maker-inactive':
    'The person who made these credentials is no longer active, so they cannot assign an administrative role. Regenerate them: that person may still know the password.',
  'maker-lost':
    'The person who made these credentials has lost permissions since, and so has your directory. Regenerate them to let it assign the roles that you can assign.',
};
