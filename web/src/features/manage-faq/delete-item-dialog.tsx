import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { resultText } from '../../lib/notices/result-text.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { consequencesOf, type FaqItem, type FaqKind, nameOf } from './faq-tree.ts';
import { useFaqWrites } from './use-faq-writes.ts';

const words: Record<FaqKind, { verb: string; done: string }> = {
  category: { verb: t`Delete category`, done: t`Category deleted successfully` },
  subcategory: { verb: t`Delete subcategory`, done: t`Subcategory deleted successfully` },
  record: { verb: t`Delete question`, done: t`Question deleted successfully` },
};

interface DeleteItemDialogProps {
  item: FaqItem;
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
}

/** Asks once more, and says what goes with it. */
export function DeleteItemDialog({ item, onClose, ...dialog }: DeleteItemDialogProps) {
  const { remove } = useFaqWrites();
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<string>();
  const { verb, done } = words[item.kind];
  const confirm = async () => {
    setIsPending(true);
    try {
      await remove(item);
      toast.success(done);
      onClose();
    } catch (failure) {
      setError(resultText(failure));
    } finally {
      setIsPending(false);
    }
  };
  return (
    <ConfirmDialog
      {...dialog}
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={item.kind === 'record' ? t`Delete this question?` : t`Delete ${nameOf(item)}?`}
      verb={verb}
      isDestructive
      isPending={isPending}
      consequences={consequencesOf(item)}
      error={error}
    />
  );
}
