import { Box, Button, chakra, Flex, Heading, Skeleton, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import type { FaqCategory, FaqRecord } from '@orchestrate/shared';
import { ChevronDown, CircleHelp } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useAddressChange } from '#lib/address/use-address-change.ts';
import { useTypedQuery } from '#lib/address/use-typed-query.ts';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import { CopyButton } from '#ui/feedback/copy-button.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { SearchField } from '#ui/form/search-field.tsx';
import { EmptyState, NoMatches } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { RichText } from '#ui/text/rich-text/rich-text.tsx';
import { answerText, wordPattern } from '#ui/text/rich-text/text-in-html.ts';

/** Returns the search words in lower case, or none for an empty query. */
const searchWords = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

/** Removes categories and subcategories without questions. */
export function withoutEmptyCategories(
  categories: readonly FaqCategory[],
  isWanted: (record: FaqRecord) => boolean = () => true,
): FaqCategory[] {
  return categories
    .map((category) => ({
      ...category,
      subcategories: category.subcategories
        .map((subcategory) => ({ ...subcategory, records: subcategory.records.filter(isWanted) }))
        .filter(({ records }) => records.length > 0),
    }))
    .filter(({ subcategories }) => subcategories.length > 0);
}

/** Finds the questions that contain all words in the question or the answer. */
export function findQuestions(categories: readonly FaqCategory[], words: readonly string[]): FaqCategory[] {
  return withoutEmptyCategories(categories, ({ question, answer }) => {
    const text = `${question} ${answerText(answer)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export const recordsOf = (categories: readonly FaqCategory[]): FaqRecord[] =>
  categories.flatMap(({ subcategories }) => subcategories.flatMap(({ records }) => records));

/** Renders text with the search words highlighted. */
function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  const pattern = wordPattern(words);
  if (!pattern) return text;
  return text.split(pattern).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <chakra.mark key={at} bg="warning.muted" color="fg" borderRadius="xs">
        {part}
      </chakra.mark>
    ),
  );
}

interface FaqQuestionProps {
  record: FaqRecord;
  isOpen: boolean;
  words: readonly string[];
  /** Exact path of this question. */
  address: string;
  onToggle: () => void;
}

/** Displays a question that expands to its answer. */
function FaqQuestion({ record: { recordId, question, answer }, isOpen, words, address, onToggle }: FaqQuestionProps) {
  return (
    <Box as="li" id={recordId} borderTopWidth="1px" scrollMarginTop="20">
      <chakra.h4>
        <chakra.button
          type="button"
          id={`${recordId}-question`}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${recordId}-answer` : undefined}
          onClick={onToggle}
          display="flex"
          alignItems="flex-start"
          justifyContent="space-between"
          gap="4"
          w="full"
          minH="12"
          px="5"
          py="3.5"
          textAlign="start"
          fontWeight="medium"
          cursor="pointer"
          outline="0"
          focusVisibleRing="inside"
          _hover={{ bg: 'bg.subtle' }}
        >
          <chakra.span minW="0" overflowWrap="anywhere">
            <MarkedText text={question} words={words} />
          </chakra.span>
          <Box
            pt="0.5"
            color="fg.muted"
            flexShrink="0"
            transition="transform 150ms"
            transform={isOpen ? 'rotate(180deg)' : undefined}
          >
            <ChevronDown size={16} aria-hidden />
          </Box>
        </chakra.button>
      </chakra.h4>
      {isOpen && (
        <Flex
          id={`${recordId}-answer`}
          gap={{ base: '1', xs: '4' }}
          px="5"
          pb={{ base: '3', xs: '5' }}
          direction={{ base: 'column', xs: 'row' }}
          align={{ base: 'stretch', xs: 'flex-end' }}
        >
          <Box minW="0" flex="1">
            <RichText html={answer} marked={words} />
          </Box>
          <CopyButton text={address} label={t`Copy link to this question`} size="xs" alignSelf="flex-end" />
        </Flex>
      )}
    </Box>
  );
}

/**
 * Returns the open questions: the questions that the user opened, the question in the URL (`#recordId`), and all
 * results of an active search. Puts the last opened question into the URL.
 */
function useOpenQuestions(query: string) {
  const { hash } = useLocation();
  const changeAddress = useAddressChange();
  const named = hash.slice(1);
  const [initialId] = useState(named);
  const [chosen, setChosen] = useState<{ query: string; byId: ReadonlyMap<string, boolean> }>(none);
  const byId = chosen.query === query ? chosen.byId : none.byId;

  // Scrolls to a question opened by a link. A question opened by a click is already in view.
  useEffect(() => {
    if (initialId) document.getElementById(initialId)?.scrollIntoView({ block: 'start' });
  }, [initialId]);

  const isOpen = (recordId: string) => byId.get(recordId) ?? (query !== '' || recordId === named);
  const toggle = (recordId: string) => {
    const next = !isOpen(recordId);
    setChosen({ query, byId: new Map(byId).set(recordId, next) });
    if (next) changeAddress({}, { hash: recordId });
  };
  return { isOpen, toggle };
}

const none = { query: '', byId: new Map<string, boolean>() };

const QUERY = 'q';

/** Lists an organisation's questions and answers, with a search. */
function FaqBrowser({ categories }: { categories: readonly FaqCategory[] }) {
  const { pathname, search } = useLocation();
  const changeAddress = useAddressChange();
  const setQuery = (text: string) => changeAddress({ [QUERY]: text });
  // All questions are already loaded, so each keystroke updates the results. The URL is updated once typing pauses.
  const { typed, type, submit } = useTypedQuery(new URLSearchParams(search).get(QUERY) ?? '', setQuery);
  const words = useMemo(() => searchWords(typed), [typed]);
  const shown = useMemo(
    () => (words.length > 0 ? findQuestions(categories, words) : withoutEmptyCategories(categories)),
    [categories, words],
  );
  const { isOpen, toggle } = useOpenQuestions(typed.trim());

  if (withoutEmptyCategories(categories).length === 0) {
    return (
      <Section>
        <EmptyState
          icon={CircleHelp}
          level="h2"
          title={t`No questions yet`}
          description={t`Your administrator hasn't written any answers yet. Contact them if you need help.`}
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
          <NoMatches
            level="h2"
            title={t`No questions match`}
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
              <Heading
                as="h3"
                id={`faq-${subcategory.subcategoryId}`}
                px="5"
                py="2.5"
                bg="bg.subtle"
                textStyle="xs"
                color="fg.muted"
                fontWeight="semibold"
              >
                {subcategory.name}
              </Heading>
              <Box as="ul" aria-labelledby={`faq-${subcategory.subcategoryId}`} listStyleType="none">
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

interface FaqContentProps {
  data: { categories: FaqCategory[] } | undefined;
  refusal: ApiRefusal | undefined;
  onRetry: () => void;
}

/** Shows the questions and answers, or explains why there are none. */
export function FaqContent({ data, refusal, onRetry }: FaqContentProps) {
  if (data) return <FaqBrowser categories={data.categories} />;
  if (refusal)
    return (
      <Section isFlush>
        <RefusalState level="h2" refusal={refusal} onRetry={onRetry} />
      </Section>
    );
  return (
    <Flex direction="column" gap="8">
      <Skeleton h="9" />
      <Section isFlush>
        <SkeletonRows rows={6} label={t`Loading questions`} />
      </Section>
    </Flex>
  );
}
