import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useUnsavedGuard } from '#lib/leaving/use-unsaved-guard.ts';
import { Modal } from '../dialog/modal.tsx';

interface UnsavedChangesProps {
  isDirty: boolean;
  /** The path below which everything belongs to the form; the present one where absent. */
  within?: string;
  /** Whether another search of the path leaves the form too. */
  isOfSearch?: boolean;
  /** Saves and returns whether that succeeded; it must not navigate by itself. */
  onSave: () => Promise<boolean>;
}

/** Asks before a form with changes is left: Save, Discard or Stay. Render it anywhere inside the screen. */
export function UnsavedChanges({ isDirty, within, isOfSearch = false, onSave }: UnsavedChangesProps) {
  const { pathname, search } = useLocation();
  const root = within ?? pathname;
  const { isHeld, leave, stay } = useUnsavedGuard(
    isDirty,
    (place) =>
      (place.pathname === root && (!isOfSearch || place.search === search)) || place.pathname.startsWith(`${root}/`),
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
      isOpen={isHeld}
      onClose={stay}
      title={t`Save your changes?`}
      description={t`What you changed here has not been saved.`}
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
