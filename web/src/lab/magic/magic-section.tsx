import { chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { readMagic } from '@orchestrate/shared';
import { useState } from 'react';
import { useRead } from '#lib/api/use-read.ts';
import { CopyButton } from '#ui/feedback/copy-button.tsx';
import { SearchField } from '#ui/form/search-field.tsx';
import { NoMatches } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { PageHeader } from '#ui/text/page-header.tsx';
import { ListCount } from '../line-list.tsx';

/** Section that lists the magic addresses, searchable by result. */
export function MagicSection() {
  const { data } = useRead(readMagic, {});
  const [typed, setTyped] = useState('');
  const words = typed.trim().toLowerCase().split(/\s+/);
  const values = data?.values ?? [];
  const found = values.filter(({ addresses, meaning, resultName = '' }) => {
    const all = `${addresses.join(' ')} ${meaning} ${resultName}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  return (
    <>
      <PageHeader
        title={t`Magic addresses`}
        description={t`Enter an address on any screen to get the result listed for it.`}
      />
      <Section
        title={t`Addresses`}
        isFlush
        aside={
          <ListCount of={found.length === values.length ? values.length : t`${found.length} of ${values.length}`} />
        }
      >
        <Flex p="3" borderBottomWidth="1px">
          <SearchField
            label={t`Search magic addresses`}
            placeholder={t`Result, code or word`}
            maxLength={200}
            value={typed}
            onChange={setTyped}
          />
        </Flex>
        {found.length === 0 && data ? (
          <NoMatches title={t`No matching addresses`} description={t`Search for a result, a code or a word.`} />
        ) : (
          <chakra.ul aria-label={t`Magic addresses`} listStyleType="none">
            {found.map(({ addresses, meaning, status }) => (
              <chakra.li
                key={addresses[0]}
                display="flex"
                alignItems="center"
                gap="3"
                ps="5"
                pe="3"
                py="2.5"
                borderBottomWidth="1px"
                _last={{ borderBottomWidth: '0' }}
              >
                <Flex flex="1" minW="0" columnGap="6" rowGap="0.5" direction={{ base: 'column', sm: 'row' }}>
                  <Flex direction="column" flex={{ sm: '0 0 45%' }} minW="0">
                    {addresses.map((address) => (
                      <Text key={address} textStyle="code" fontSize="sm" overflowWrap="anywhere">
                        {address}
                      </Text>
                    ))}
                  </Flex>
                  <Text textStyle="sm" color="fg.muted" minW="0">
                    {meaning}
                    {status !== undefined && ` (HTTP ${status})`}
                  </Text>
                </Flex>
                <CopyButton text={addresses[0] ?? ''} label={t`Copy ${addresses[0] ?? ''}`} />
              </chakra.li>
            ))}
          </chakra.ul>
        )}
      </Section>
    </>
  );
}
