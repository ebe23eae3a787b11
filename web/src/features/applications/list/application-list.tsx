import { Box, Button, Flex } from '@chakra-ui/react';
import type { Application } from '@orchestrate/shared';
import { SearchX } from 'lucide-react';
import { useRef } from 'react';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FilterChips } from '../../../ui/filter-chips.tsx';
import { ListLine } from '../../../ui/list-line.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { ApplicationsTable } from './applications-table.tsx';
import { INTEGRATION_TYPES, useApplicationFilter } from './use-application-filter.ts';

const QUERY_MAX_LENGTH = 100;

/** The applications, to be searched and narrowed to a type. There is at least one. */
export function ApplicationList({ apps }: { apps: readonly Application[] }) {
  const { search, chosen, choose, found, shown, clear } = useApplicationFilter(apps);
  const field = useRef<{ focus: () => void }>(null);
  const countOf = (type: Application['integrationType']) =>
    found.filter(({ integrationType }) => integrationType === type).length.toLocaleString();
  // A type that the organisation does not use is no choice, unless the address names it.
  const types = INTEGRATION_TYPES.filter((type) => type === chosen || apps.some((app) => app.integrationType === type));
  const count = shown.length.toLocaleString();
  return (
    <Flex direction="column" gap="4">
      <Flex gap="3" wrap="wrap" role="search">
        <Box flex="1 1 15rem" display="flex">
          <SearchField
            ref={field}
            label="Search applications"
            placeholder="Name, id or description"
            maxLength={QUERY_MAX_LENGTH}
            {...search}
          />
        </Box>
        <FilterChips
          label="Type"
          choices={[
            { value: undefined, label: 'All', count: found.length.toLocaleString() },
            ...types.map((value) => ({ value, label: value.toUpperCase(), count: countOf(value) })),
          ]}
          value={chosen}
          onChange={choose}
        />
      </Flex>
      <ListLine>
        {shown.length !== apps.length
          ? `${count} of ${apps.length.toLocaleString()} applications`
          : apps.length === 1
            ? '1 application'
            : `${count} applications`}
      </ListLine>
      <Section isFlush>
        {shown.length > 0 ? (
          <ApplicationsTable apps={shown} />
        ) : (
          <EmptyState
            icon={SearchX}
            level="h2"
            title="No applications found"
            description={
              search.value.trim()
                ? `No ${chosen ? `${chosen.toUpperCase()} ` : ''}application has “${search.value.trim()}” in its name, id or description.`
                : 'Your organisation has no application of this type.'
            }
            action={
              <Button
                variant="outline"
                onClick={() => {
                  clear();
                  field.current?.focus();
                }}
              >
                Clear search
              </Button>
            }
          />
        )}
      </Section>
    </Flex>
  );
}
