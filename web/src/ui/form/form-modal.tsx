import { Button, chakra, Spacer } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type FormEvent, type ReactNode, useId } from 'react';
import { Modal, type ModalProps } from '../dialog/modal.tsx';
import { useConfirmClose } from '../dialog/use-confirm-close.tsx';
import { AlertLine } from '../feedback/alert-line.tsx';

interface FormModalProps extends Omit<ModalProps, 'footer' | 'initialFocus' | 'role'> {
  /** What its button says, e.g. 'Add group'. */
  verb: string;
  onSubmit: (event: FormEvent) => Promise<unknown>;
  /** Whether something has been entered that closing would lose. */
  isDirty: boolean;
  isPending: boolean;
  /** False where the form cannot be sent yet. */
  canSubmit?: boolean;
  /** Why it was refused, where that belongs to no field. */
  error?: string | false | undefined;
  /** Another button, beside that of the form. */
  aside?: ReactNode;
  /** Takes the place of the form once it has been sent, e.g. a secret that is shown this once. */
  done?: ReactNode;
}

/** A dialog with a form. Whichever way it is closed, it asks before what was entered is thrown away. */
export function FormModal({ verb, onSubmit, isDirty, isPending, canSubmit = true, error, ...props }: FormModalProps) {
  const { aside, done, children, onClose, ...modal } = props;
  const formId = useId();
  const { close, question } = useConfirmClose({ isDirty: modal.isOpen && isDirty && !done, isPending, onClose });
  const buttons = (
    <>
      <Button variant="outline" onClick={close}>
        {t`Cancel`}
      </Button>
      {aside && <Spacer />}
      {aside}
      <Button type="submit" form={formId} disabled={!canSubmit} loading={isPending} loadingText={verb}>
        {verb}
      </Button>
    </>
  );
  return (
    <Modal {...modal} onClose={close} footer={done ? <Button onClick={onClose}>{t`Done`}</Button> : buttons}>
      {done || (
        <chakra.form
          id={formId}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            // React events bubble from a dialog into the form that the dialog was opened from.
            event.stopPropagation();
            void onSubmit(event);
          }}
          display="flex"
          flexDirection="column"
          gap="5"
        >
          {children}
          {error && <AlertLine>{error}</AlertLine>}
        </chakra.form>
      )}
      {question}
    </Modal>
  );
}
