import { Box, Button, Flex, Heading, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import type { FaqCategory } from '@orchestrate/shared';
import { CircleHelp } from 'lucide-react';
import { useMemo } from 'react';
import { useLocation } from 'react-router-dom';
import { useAddressChange } from '../../lib/address/use-address-change.ts';
import { useTypedQuery } from '../../lib/address/use-typed-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NothingFound } from '../../ui/nothing-found.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Section } from '../../ui/section.tsx';
import { FaqQuestion } from './faq-question.tsx';
import { findQuestions, recordsOf, wantedWords, withQuestions } from './find-questions.ts';
import { useOpenQuestions } from './use-open-questions.ts';

const QUERY = 'q';

/** The questions and answers of an organisation, to be searched and opened. */
export function FaqBrowser({ categories }: { categories: readonly FaqCategory[] }) {
  const { pathname, search } = useLocation();
  const changeAddress = useAddressChange();
  const setQuery = (text: string) => changeAddress({ [QUERY]: text });
  // All questions are loaded already: the results follow every key, and the address follows once typing has paused.
  const { typed, type, submit } = useTypedQuery(new URLSearchParams(search).get(QUERY) ?? '', setQuery);
  const words = useMemo(() => wantedWords(typed), [typed]);
  const shown = useMemo(
    () => (words.length > 0 ? findQuestions(categories, words) : withQuestions(categories)),
    [categories, words],
  );
  const { isOpen, toggle } = useOpenQuestions(typed.trim());

  if (withQuestions(categories).length === 0) {
    return (
      <Section>
        <EmptyState
          icon={CircleHelp}
          level="h2"
          title={t`No questions yet`}
          description={t`Your Administrator has not written any answers yet. Contact them if you need help.`}
        />
      </Section>
    );
  }
  const count = recordsOf(shown).length;
  return (
    <Flex direction="column" gap="6">
      <Flex direction="column" gap="2">
        <SearchField
          label={t`Search questions and answers`}
          placeholder={t`Search questions and answers`}
          value={typed}
          maxLength={100}
          onChange={type}
          onSubmit={submit}
        />
        <Text role="status" textStyle="sm" color="fg.muted">
          {words.length > 0 && plural(count, { one: '# question found', other: '# questions found' })}
        </Text>
      </Flex>
      {count === 0 && (
        <Section>
          <NothingFound
            level="h2"
            title={t`Nothing found`}
            description={t`No question or answer contains “${typed.trim()}”.`}
            action={
              <Button variant="outline" onClick={() => type('')}>
                {t`Clear search`}
              </Button>
            }
          />
        </Section>
      )}
      {shown.map(({ categoryId, name, subcategories }) => (
        <Section key={categoryId} title={name} isFlush>
          {subcategories.map((subcategory) => (
            <Box key={subcategory.subcategoryId} css={{ '& + &': { borderTopWidth: '1px' } }}>
              <Heading as="h3" px="5" pt="4" pb="2" textStyle="xs" color="fg.muted" fontWeight="semibold">
                {subcategory.name}
              </Heading>
              <Box as="ul" listStyleType="none">
                {subcategory.records.map((record) => (
                  <FaqQuestion
                    key={record.recordId}
                    record={record}
                    words={words}
                    isOpen={isOpen(record.recordId)}
                    address={new URL(`${pathname}#${record.recordId}`, window.location.origin).href}
                    onToggle={() => toggle(record.recordId)}
                  />
                ))}
              </Box>
            </Box>
          ))}
        </Section>
      ))}
    </Flex>
  );
}
