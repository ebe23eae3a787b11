import { Box, Button, Flex, Heading, Text } from '@chakra-ui/react';
import type { FaqCategory } from '@orchestrate/shared';
import { FolderPlus, Plus } from 'lucide-react';
import { Section } from '../../ui/section.tsx';
import { questionsIn, questionsText } from './faq-tree.ts';
import { ItemActions, type TreeActions } from './item-actions.tsx';

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
  return (
    <Section
      title={name}
      isFlush
      aside={
        <Flex align="center" gap="4">
          <Text textStyle="sm" color="fg.muted" whiteSpace="nowrap">
            {questionsText(questionsIn(category))}
          </Text>
          <ItemActions item={{ kind: 'category', category, place, count }} actions={actions} />
        </Flex>
      }
    >
      {subcategories.map((subcategory, at) => (
        <Box key={subcategory.subcategoryId} borderBottomWidth="1px">
          <Flex align="center" justify="space-between" gap="4" px="5" pt="3" pb="1">
            <Heading as="h3" textStyle="sm" color="fg.muted" fontWeight="semibold" minW="0" overflowWrap="anywhere">
              {subcategory.name}
            </Heading>
            <ItemActions
              item={{ kind: 'subcategory', subcategory, categoryId, place: at, count: subcategories.length }}
              actions={actions}
            />
          </Flex>
          <Box as="ul" listStyleType="none" aria-label={`Questions of ${subcategory.name}`}>
            {subcategory.records.map((record, recordAt) => (
              <Flex key={record.recordId} as="li" align="center" justify="space-between" gap="4" ps="9" pe="5" py="0.5">
                <Text minW="0" overflowWrap="anywhere">
                  {record.question}
                </Text>
                <ItemActions
                  item={{
                    kind: 'record',
                    record,
                    subcategoryId: subcategory.subcategoryId,
                    place: recordAt,
                    count: subcategory.records.length,
                  }}
                  actions={actions}
                />
              </Flex>
            ))}
          </Box>
          <Box ps="6" pt="1" pb="3">
            <Button variant="ghost" size="sm" onClick={() => onAddRecord(subcategory.subcategoryId)}>
              <Plus aria-hidden />
              {`Add question to ${subcategory.name}`}
            </Button>
          </Box>
        </Box>
      ))}
      <Box px="3" py="2.5">
        <Button variant="ghost" size="sm" onClick={() => onAddSubcategory(categoryId)}>
          <FolderPlus aria-hidden />
          {`Add subcategory to ${name}`}
        </Button>
      </Box>
    </Section>
  );
}
