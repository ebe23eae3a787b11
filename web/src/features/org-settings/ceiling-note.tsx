import { Flex, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import type { CeilingLimit, getScimCredentials, ReplyOf } from '@orchestrate/shared';
import { formatDateTime } from '../../lib/format/dates.ts';
import { formatList } from '../../lib/format/number.ts';
import { AlertLine } from '../../ui/alert-line.tsx';

/** Who made the credentials, and which roles a directory can give with them at most. */
export function CeilingNote({ credentials }: { credentials: ReplyOf<typeof getScimCredentials> }) {
  const { madeBy, madeAt, roles, limitedBy } = credentials;
  return (
    <Flex direction="column" gap="3">
      <Text textStyle="sm" color="fg.muted">
        {t`${madeText(madeBy, madeAt)}; can give ${plural(roles.length, { one: 'the role', other: 'the roles' })} ${formatList(roles)}. People who may do more are not changed by the directory.`}
      </Text>
      {limitedBy !== 'nothing' && <AlertLine tone="warning">{LIMITED[limitedBy]}</AlertLine>}
    </Flex>
  );
}

function madeText(by: string | null, at: string | null): string {
  if (by && at) return t`Created by ${by} on ${formatDateTime(at)}`;
  if (by) return t`Created by ${by}`;
  return at ? t`Created on ${formatDateTime(at)}` : t`Created`;
}

const LIMITED: Record<Exclude<CeilingLimit, 'nothing'>, string> = {
  'unknown-maker': t`It's unknown who created these credentials, so they can't assign administrative roles. Regenerate them to let your directory assign the roles that you can assign.`,
  'maker-inactive': t`The person who created these credentials is no longer active, so they can't assign administrative roles. Regenerate them, because that person may still know the password.`,
  'maker-lost': t`The person who created these credentials has lost permissions since then, and so has your directory. Regenerate them to let it assign the roles that you can assign.`,
};
