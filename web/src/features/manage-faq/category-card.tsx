import { Box, Button, Flex, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { FaqCategory } from '@orchestrate/shared';
import { FolderPlus, Plus } from 'lucide-react';
import { Section } from '../../ui/section.tsx';
import { type FaqItem, nameOf, questionsIn, questionsText } from './faq-tree.ts';
import { ItemActions, type TreeActions } from './item-actions.tsx';
import { droppingStyles } from './use-drag.ts';

interface CategoryCardProps {
  category: FaqCategory;
  place: number;
  count: number;
  actions: TreeActions;
  onAddSubcategory: (categoryId: string) => void;
  onAddRecord: (subcategoryId: string) => void;
}

/** A category with its subcategories and their questions. */
export function CategoryCard({ category, place, count, actions, onAddSubcategory, onAddRecord }: CategoryCardProps) {
  const { categoryId, name, subcategories } = category;
  const own: FaqItem = { kind: 'category', category, place, count };
  return (
    <Box {...actions.drag.placeOf(own)} css={droppingStyles} borderRadius="l3">
      <Section
        title={name}
        isFlush
        aside={
          <Flex align="center" gap="4">
            <Text textStyle="sm" color="fg.muted" whiteSpace="nowrap">
              {questionsText(questionsIn(category))}
            </Text>
            <ItemActions item={own} actions={actions} />
          </Flex>
        }
      >
        {subcategories.map((subcategory, at) => {
          const item: FaqItem = {
            kind: 'subcategory',
            subcategory,
            categoryId,
            place: at,
            count: subcategories.length,
          };
          return (
            <Box
              key={subcategory.subcategoryId}
              {...actions.drag.placeOf(item)}
              css={droppingStyles}
              borderBottomWidth="1px"
            >
              <Flex {...row} px="5" pt="3" pb="1">
                <Heading {...rowName} as="h3" textStyle="sm" color="fg.muted" fontWeight="semibold">
                  {subcategory.name}
                </Heading>
                <ItemActions item={item} actions={actions} />
              </Flex>
              <Box as="ul" listStyleType="none" aria-label={t`Questions of ${subcategory.name}`}>
                {subcategory.records.map((record, recordAt) => (
                  <Question
                    key={record.recordId}
                    item={{
                      kind: 'record',
                      record,
                      subcategoryId: subcategory.subcategoryId,
                      place: recordAt,
                      count: subcategory.records.length,
                    }}
                    actions={actions}
                  />
                ))}
              </Box>
              <Box ps="6" pt="1" pb="3">
                <Button {...wrapping} variant="ghost" size="sm" onClick={() => onAddRecord(subcategory.subcategoryId)}>
                  <Plus aria-hidden />
                  {t`Add question to ${subcategory.name}`}
                </Button>
              </Box>
            </Box>
          );
        })}
        <Box px="3" py="2.5">
          <Button {...wrapping} variant="ghost" size="sm" onClick={() => onAddSubcategory(categoryId)}>
            <FolderPlus aria-hidden />
            {t`Add subcategory to ${name}`}
          </Button>
        </Box>
      </Section>
    </Box>
  );
}

/** Where a name would become a narrow column, its actions go below it. */
const row = { align: 'center', justify: 'flex-end', wrap: 'wrap', columnGap: '4' } as const;
/** Says whose the buttons between two names are. */
const line = { borderTopWidth: { base: '1px', xs: '0' } } as const;
const rowName = { flex: '1 1 15rem', minW: '0', overflowWrap: 'anywhere' } as const;

/** A button that names what people have named, which may be long. */
const wrapping = {
  h: 'auto',
  minH: '8',
  maxW: 'full',
  py: '1',
  whiteSpace: 'normal',
  textAlign: 'start',
  overflowWrap: 'anywhere',
} as const;

function Question({ item, actions }: { item: FaqItem; actions: TreeActions }) {
  return (
    <Flex as="li" {...actions.drag.placeOf(item)} css={droppingStyles} {...row} {...line} ps="9" pe="5" py="0.5">
      <Text {...rowName}>{nameOf(item)}</Text>
      <ItemActions item={item} actions={actions} />
    </Flex>
  );
}
