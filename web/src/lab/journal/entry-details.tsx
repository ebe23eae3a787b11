import { chakra, Flex, Heading } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { JournalEntry } from '@orchestrate/shared';
import { formatDateTimeSeconds } from '../../lib/format/dates.ts';
import { RawText } from '../../ui/raw-text.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { said } from '../../words/said.ts';
import { badgeOf, toneOf } from './journal-text.ts';

/** What is shown as it travelled, and how it is called. */
const CONTENTS: Readonly<Record<string, string>> = {
  query: t({ message: 'Query', context: 'of an address' }),
  requestBody: t`Body of the request`,
  responseBody: t`Body of the answer`,
  message: t`Message`,
};
/** Already said in another place. */
const SAID = new Set(['summary', 'kind', 'seq', 'at', ...Object.keys(CONTENTS)]);

/** Everything about an entry, with the names that programs read. */
export function EntryDetails({ entry }: { entry: JournalEntry }) {
  const facts = Object.entries(entry);
  return (
    <Flex direction="column" gap="5" minW="0">
      <Flex gap="4" justify="space-between" align="flex-start">
        <Heading as="h2" size="sm" overflowWrap="anywhere" minW="0" textWrap="pretty">
          {said(entry.summary)}
        </Heading>
        <StatusBadge status={badgeOf(entry)} tone={toneOf(entry)} />
      </Flex>
      <chakra.dl display="grid" gridTemplateColumns="auto minmax(0, 1fr)" columnGap="6" rowGap="1.5">
        <Fact name={t({ message: 'Number', context: 'of an entry' })} value={String(entry.seq)} />
        <Fact name={t`Time`} value={formatDateTimeSeconds(entry.at)} />
        {facts.map(([name, value]) => !SAID.has(name) && <Fact key={name} name={name} value={String(value)} isCode />)}
      </chakra.dl>
      {facts.map(
        ([name, value]) =>
          CONTENTS[name] !== undefined && (
            <Flex key={name} direction="column" gap="2">
              <Heading as="h3" size="sm">
                {CONTENTS[name]}
              </Heading>
              <RawText label={CONTENTS[name]} text={JSON.stringify(value, null, 2)} />
            </Flex>
          ),
      )}
    </Flex>
  );
}

function Fact({ name, value, isCode = false }: { name: string; value: string; isCode?: boolean }) {
  return (
    <>
      <chakra.dt color="fg.muted">{name}</chakra.dt>
      <chakra.dd minW="0" overflowWrap="anywhere" {...(isCode && { textStyle: 'code', fontSize: 'sm' })}>
        {value}
      </chakra.dd>
    </>
  );
}
