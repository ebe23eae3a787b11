import { Box, Button, Flex, Heading, IconButton, Menu, Text, VisuallyHidden } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type FaqCategory, getFaq } from '@orchestrate/shared';
import {
  ArrowDown,
  ArrowUp,
  CircleHelp,
  EllipsisVertical,
  ExternalLink,
  FolderPlus,
  GripVertical,
  Pencil,
  Plus,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useRead } from '#lib/api/use-read.ts';
import { useValueDuringExit } from '#lib/browser/held-values.ts';
import { toast } from '#lib/notices/toaster.ts';
import { paths } from '#paths.ts';
import { BREAKPOINTS } from '#theme/tokens.ts';
import { findInterruptedForm } from '#ui/editing/interrupted.ts';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { ActionEntries } from '#ui/list/menu-entry.tsx';
import { Section } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { type FaqItem, nameOf, questionCount, questionsText } from './faq-tree.ts';
import { FAQ_DRAFT_PREFIX, type FaqTask, ManageFaqDialogs, taskOfDraft } from './manage-faq-dialogs.tsx';
import { type Drag, droppingStyles, useDrag } from './use-drag.ts';
import { type Direction, menuButtonId, useMove } from './use-move.ts';

interface TreeActions {
  move: (item: FaqItem, direction: Direction) => void;
  edit: (item: FaqItem) => void;
  remove: (item: FaqItem) => void;
  drag: Drag;
}

/** An item's drag handle, and the menu of its actions. */
function ItemActions({ item, actions }: { item: FaqItem; actions: TreeActions }) {
  const name = nameOf(item);
  return (
    <Flex gap="0.5" flexShrink="0" align="center">
      {item.count > 1 && (
        // Displayed only for mouse users and if the name has enough space. Everyone else can move items with the menu.
        <Box
          {...actions.drag.handleProps(item)}
          aria-hidden
          data-handle={name}
          position="absolute"
          insetStart="0.5"
          color="fg.muted"
          cursor="grab"
          display="none"
          transition="opacity 120ms"
          css={{
            [`@media (any-pointer: fine) and (min-width: ${BREAKPOINTS.xs}px)`]: { display: 'block' },
            // Stays visible if the primary input is a touchscreen, which can't hover over the row.
            '@media (hover: hover)': {
              opacity: 0,
              '*:is(:hover, :focus-within) > * > &, *:has(> * > h2):hover &': { opacity: 1 },
            },
          }}
        >
          <GripVertical size={16} />
        </Box>
      )}
      <ItemMenu item={item} actions={actions} />
    </Flex>
  );
}

function ItemMenu({ item, actions }: { item: FaqItem; actions: TreeActions }) {
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const name = nameOf(item);
  const entries = [
    {
      name: 'edit',
      label: item.kind === 'record' ? t`Edit` : t`Rename`,
      icon: Pencil,
      obstacle: undefined,
      run: () => actions.edit(item),
    },
    {
      name: 'up',
      label: t`Move up`,
      icon: ArrowUp,
      obstacle: item.position === 0 ? t`Already first` : undefined,
      run: () => actions.move(item, 'up'),
    },
    {
      name: 'down',
      label: t`Move down`,
      icon: ArrowDown,
      obstacle: item.position === item.count - 1 ? t`Already last` : undefined,
      run: () => actions.move(item, 'down'),
    },
    { name: 'delete', label: t`Delete`, icon: Trash2, obstacle: undefined, run: () => actions.remove(item) },
  ];
  return (
    <Menu.Root
      ids={{ trigger: menuButtonId(item) }}
      positioning={{ placement: 'bottom-end' }}
      highlightedValue={highlighted}
      onHighlightChange={({ highlightedValue }) => setHighlighted(highlightedValue)}
      onSelect={({ value }) => {
        const chosen = entries.find((entry) => entry.name === value);
        if (!chosen?.obstacle) chosen?.run();
      }}
      lazyMount
      unmountOnExit
    >
      <Menu.Trigger asChild>
        <IconButton variant="ghost" size="sm" aria-label={t`Actions for ${name}`}>
          <EllipsisVertical />
        </IconButton>
      </Menu.Trigger>
      <ActionEntries entries={entries} highlighted={highlighted} />
    </Menu.Root>
  );
}

interface CategoryCardProps {
  category: FaqCategory;
  position: number;
  count: number;
  actions: TreeActions;
  onAddSubcategory: (categoryId: string) => void;
  onAddRecord: (subcategoryId: string) => void;
}

/** Displays a category with its subcategories and their questions. */
function CategoryCard({ category, position, count, actions, onAddSubcategory, onAddRecord }: CategoryCardProps) {
  const { categoryId, name, subcategories } = category;
  const own: FaqItem = { kind: 'category', category, position, count };
  return (
    <Box {...actions.drag.rowProps(own)} css={droppingStyles} position="relative" borderRadius="l3">
      <Section
        title={name}
        isFlush
        aside={
          <Flex align="center" gap="4">
            <Text textStyle="sm" color="fg.muted" whiteSpace="nowrap">
              {questionsText(questionCount(category))}
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
            position: at,
            count: subcategories.length,
          };
          return (
            <Box
              key={subcategory.subcategoryId}
              {...actions.drag.rowProps(item)}
              css={droppingStyles}
              borderBottomWidth="1px"
            >
              <Flex {...row} bg="bg.subtle" borderBottomWidth="1px" px="5" py="1">
                <Heading {...rowName} as="h3" textStyle="sm" color="fg.muted" fontWeight="semibold">
                  {subcategory.name}
                </Heading>
                <ItemActions item={item} actions={actions} />
              </Flex>
              <Box as="ul" listStyleType="none" pt="1.5" aria-label={t`Questions in ${subcategory.name}`}>
                {subcategory.records.map((record, recordAt) => (
                  <Question
                    key={record.recordId}
                    item={{
                      kind: 'record',
                      record,
                      subcategoryId: subcategory.subcategoryId,
                      position: recordAt,
                      count: subcategory.records.length,
                    }}
                    actions={actions}
                  />
                ))}
              </Box>
              <Box px="2" pb="1.5">
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={t`Add question to ${subcategory.name}`}
                  onClick={() => onAddRecord(subcategory.subcategoryId)}
                >
                  <Plus aria-hidden />
                  {t`Add question`}
                </Button>
              </Box>
            </Box>
          );
        })}
        <Box px="2" py="1.5">
          <Button
            variant="ghost"
            size="sm"
            aria-label={t`Add subcategory to ${name}`}
            onClick={() => onAddSubcategory(categoryId)}
          >
            <FolderPlus aria-hidden />
            {t`Add subcategory`}
          </Button>
        </Box>
      </Section>
    </Box>
  );
}

const row = { position: 'relative', align: 'center', columnGap: '4' } as const;
const rowName = { flex: '1', minW: '0', overflowWrap: 'anywhere' } as const;

function Question({ item, actions }: { item: FaqItem; actions: TreeActions }) {
  return (
    <Flex
      as="li"
      {...actions.drag.rowProps(item)}
      css={droppingStyles}
      {...row}
      ps="5"
      pe="5"
      py="0.5"
      _hover={{ bg: 'bg.subtle' }}
    >
      <Text {...rowName}>{nameOf(item)}</Text>
      <ItemActions item={item} actions={actions} />
    </Flex>
  );
}

/** Edits the questions, answers, names and order of the organisation's FAQ. */
export default function ManageFaqScreen() {
  const { data, refusal, refetch } = useRead(getFaq, {});
  const { moveBy, moveTo, announcement } = useMove();
  const drag = useDrag((item, position) => void moveTo(item, position), sayWhereItMoves);
  const { task, isOpen, start, close, forget } = useTask(data?.categories);
  const actions: TreeActions = {
    move: (item, direction) => void moveBy(item, direction),
    edit: (item) => start({ do: 'edit', item }),
    remove: (item) => start({ do: 'delete', item }),
    drag,
  };
  const addCategory = (
    <Button onClick={() => start({ do: 'add-category' })}>
      <Plus aria-hidden />
      {t`Add category`}
    </Button>
  );
  const categories = data?.categories ?? [];
  return (
    <Page>
      <title>{t`Manage FAQ · Orchestrate`}</title>
      <PageHeader
        title={t`Manage FAQ`}
        description={t`Anyone can open these answers from the help on the sign-in page.`}
        action={
          <>
            <Button asChild variant="outline">
              <Link to={paths.ownFaq}>
                <ExternalLink aria-hidden />
                {t`View FAQ`}
              </Link>
            </Button>
            {categories.length > 0 && addCategory}
          </>
        }
      />
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      {!data && (
        <Section isFlush>
          {refusal ? (
            <RefusalState level="h2" refusal={refusal} onRetry={refetch} />
          ) : (
            <SkeletonRows rows={6} label={t`Loading questions`} />
          )}
        </Section>
      )}
      {data && categories.length === 0 && (
        <Section>
          <EmptyState
            icon={CircleHelp}
            level="h2"
            title={t`No questions yet`}
            description={t`Start with a category, such as Signing in.`}
            action={addCategory}
          />
        </Section>
      )}
      {categories.map((category, position) => (
        <CategoryCard
          key={category.categoryId}
          category={category}
          position={position}
          count={categories.length}
          actions={actions}
          onAddSubcategory={(categoryId) => start({ do: 'add-subcategory', categoryId })}
          onAddRecord={(subcategoryId) => start({ do: 'add-record', subcategoryId })}
        />
      ))}
      {task && (
        <ManageFaqDialogs task={task} categories={categories} isOpen={isOpen} onClose={close} onExitComplete={forget} />
      )}
    </Page>
  );
}

function sayWhereItMoves({ kind }: FaqItem): void {
  if (kind === 'record')
    toast.info(
      t`Questions can only be reordered within their subcategory. To move a question to another subcategory, edit it.`,
    );
  if (kind === 'subcategory') toast.info(t`Subcategories can only be reordered within their category.`);
}

/** Manages the open dialog, and keeps its task during the exit animation. */
function useTask(categories: readonly FaqCategory[] | undefined) {
  const [task, setTask] = useState<FaqTask | null>(null);
  const { shown, isOpen, forget } = useValueDuringExit(task);
  // Restores unsaved input if the session ended on this screen.
  const [interrupted, setInterrupted] = useState(() => findInterruptedForm(FAQ_DRAFT_PREFIX));
  if (categories && interrupted !== undefined) {
    setInterrupted(undefined);
    const again = taskOfDraft(interrupted, categories);
    if (again) setTask(again);
  }
  return { task: shown, isOpen, start: setTask, close: () => setTask(null), forget };
}
