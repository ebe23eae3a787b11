import { Box, Button, Flex } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import type { Application, OrgLoginOptions } from '@orchestrate/shared';
import { useRef } from 'react';
import { formatNumber } from '../../../lib/format/number.ts';
import { FilterChips } from '../../../ui/filter-chips.tsx';
import { ListLine } from '../../../ui/list-line.tsx';
import { NothingFound } from '../../../ui/nothing-found.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { ApplicationsTable } from './applications-table.tsx';
import { INTEGRATION_TYPES, useApplicationFilter } from './use-application-filter.ts';

const QUERY_MAX_LENGTH = 100;

interface ApplicationListProps {
  apps: readonly Application[];
  organisation: OrgLoginOptions;
}

/** The applications, to be searched and narrowed to a type. There is at least one. */
export function ApplicationList({ apps, organisation }: ApplicationListProps) {
  const { search, chosen, choose, found, shown, clear } = useApplicationFilter(apps);
  const field = useRef<{ focus: () => void }>(null);
  const countOf = (type: Application['integrationType']) =>
    formatNumber(found.filter(({ integrationType }) => integrationType === type).length);
  // A type that the organisation does not use is not offered, unless the address names it.
  const types = INTEGRATION_TYPES.filter((type) => type === chosen || apps.some((app) => app.integrationType === type));
  const count = formatNumber(shown.length);
  return (
    <Flex direction="column" gap="4">
      <Flex gap="3" wrap="wrap" role="search">
        <Box flex="1 1 15rem" display="flex">
          <SearchField
            ref={field}
            label={t`Search applications`}
            placeholder={t`Name, id or description`}
            maxLength={QUERY_MAX_LENGTH}
            {...search}
          />
        </Box>
        <FilterChips
          label={t`Type`}
          choices={[
            { value: undefined, label: t`All`, count: formatNumber(found.length) },
            ...types.map((value) => ({
              value,
              label: value === 'portal' ? t`Portal` : value.toUpperCase(),
              count: countOf(value),
            })),
          ]}
          value={chosen}
          onChange={choose}
        />
      </Flex>
      <ListLine>
        {shown.length !== apps.length
          ? t`${count} of ${formatNumber(apps.length)} applications`
          : plural(apps.length, { one: '# application', other: '# applications' })}
      </ListLine>
      <Section isFlush>
        {shown.length > 0 ? (
          <ApplicationsTable apps={shown} organisation={organisation} />
        ) : (
          <NothingFound
            level="h2"
            title={t`No applications found`}
            description={
              search.value.trim()
                ? chosen
                  ? t`No ${chosen.toUpperCase()} application has “${search.value.trim()}” in its name, id or description.`
                  : t`No application has “${search.value.trim()}” in its name, id or description.`
                : t`Your organisation has no application of this type.`
            }
            action={
              <Button
                variant="outline"
                onClick={() => {
                  clear();
                  field.current?.focus();
                }}
              >
                {t`Clear search`}
              </Button>
            }
          />
        )}
      </Section>
    </Flex>
  );
}
