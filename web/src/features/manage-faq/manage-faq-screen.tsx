import { Button, Flex, VisuallyHidden } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type FaqCategory, getFaq } from '@orchestrate/shared';
import { CircleHelp, ExternalLink, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { interruptedHere } from '../../editing/interrupted.ts';
import { useRead } from '../../lib/api/use-read.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { paths } from '../../paths.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RefusalState } from '../../ui/refusal-state.tsx';
import { Section } from '../../ui/section.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { useValueDuringExit } from '../../ui/use-value-during-exit.ts';
import { CategoryCard } from './category-card.tsx';
import type { FaqItem } from './faq-tree.ts';
import type { TreeActions } from './item-actions.tsx';
import { FAQ_DRAFTS, type FaqTask, ManageFaqDialogs, taskOfDraft } from './manage-faq-dialogs.tsx';
import { useDrag } from './use-drag.ts';
import { useMove } from './use-move.ts';

/** Edits the organisation's questions and answers: their texts, names and order. */
export default function ManageFaqScreen() {
  const { data, refusal, refetch } = useRead(getFaq, {});
  const { moveBy, moveTo, news } = useMove();
  const drag = useDrag((item, place) => void moveTo(item, place), sayWhereItMoves);
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
    <Flex direction="column" gap="6">
      <title>{t`Manage FAQ · Orchestrate`}</title>
      <PageHeader
        title={t`Manage FAQ`}
        description={t`Answers that everyone can open from the help on the sign-in page.`}
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
      <VisuallyHidden role="status">{news}</VisuallyHidden>
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
            description={t`Begin with a category, such as Signing in.`}
            action={addCategory}
          />
        </Section>
      )}
      {categories.map((category, place) => (
        <CategoryCard
          key={category.categoryId}
          category={category}
          place={place}
          count={categories.length}
          actions={actions}
          onAddSubcategory={(categoryId) => start({ do: 'add-subcategory', categoryId })}
          onAddRecord={(subcategoryId) => start({ do: 'add-record', subcategoryId })}
        />
      ))}
      {task && (
        <ManageFaqDialogs task={task} categories={categories} isOpen={isOpen} onClose={close} onExitComplete={forget} />
      )}
    </Flex>
  );
}

function sayWhereItMoves({ kind }: FaqItem): void {
  if (kind === 'record')
    toast.info(t`A question is dragged within its subcategory only. To put it into another one, edit it.`);
  if (kind === 'subcategory') toast.info(t`A subcategory is dragged within its category only.`);
}

/** The task of the open dialog, kept until the dialog has left the screen. */
function useTask(categories: readonly FaqCategory[] | undefined) {
  const [task, setTask] = useState<FaqTask | null>(null);
  const { shown, isOpen, forget } = useValueDuringExit(task);
  // Restores what somebody was writing on this page when the session ended.
  const [interrupted, setInterrupted] = useState(() => interruptedHere(FAQ_DRAFTS));
  if (categories && interrupted !== undefined) {
    setInterrupted(undefined);
    const again = taskOfDraft(interrupted, categories);
    if (again) setTask(again);
  }
  return { task: shown, isOpen, start: setTask, close: () => setTask(null), forget };
}
