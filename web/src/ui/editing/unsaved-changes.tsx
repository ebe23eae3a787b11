import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useUnsavedGuard } from '#lib/leaving/use-unsaved-guard.ts';
import { Modal } from '../dialog/modal.tsx';

interface UnsavedChangesProps {
  isDirty: boolean;
  /** Path prefix of the form's pages; defaults to the current path. */
  within?: string;
  /** True if changing the query string also leaves the form. */
  isOfSearch?: boolean;
  /** Saves the form and returns true on success. Must not navigate. */
  onSave: () => Promise<boolean>;
}

/**
 * Asks whether to save, discard or stay before the user leaves a form with changes. Can be rendered anywhere on the
 * screen.
 */
export function UnsavedChanges({ isDirty, within, isOfSearch = false, onSave }: UnsavedChangesProps) {
  const { pathname, search } = useLocation();
  const root = within ?? pathname;
  const { isPending, leave, stay } = useUnsavedGuard(
    isDirty,
    (location) =>
      (location.pathname === root && (!isOfSearch || location.search === search)) ||
      location.pathname.startsWith(`${root}/`),
  );
  const [isSaving, setIsSaving] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  const save = async () => {
    setIsSaving(true);
    const isSaved = await onSave();
    setIsSaving(false);
    if (isSaved) leave();
    else stay();
  };
  return (
    <Modal
      isOpen={isPending}
      onClose={stay}
      title={t`Save your changes?`}
      description={t`Your changes haven't been saved.`}
      role="alertdialog"
      initialFocus={() => first.current}
      footer={
        <>
          <Button variant="outline" onClick={leave} disabled={isSaving}>
            {t`Discard`}
          </Button>
          <Button ref={first} variant="outline" onClick={stay} disabled={isSaving}>
            {t`Stay`}
          </Button>
          <Button onClick={() => void save()} loading={isSaving} loadingText={t`Save`}>
            {t`Save`}
          </Button>
        </>
      }
    />
  );
}
