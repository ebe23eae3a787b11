import { Button, chakra, Spacer } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type FormEvent, type ReactNode, useId } from 'react';
import { Modal, type ModalProps } from '../dialog/modal.tsx';
import { useConfirmClose } from '../dialog/use-confirm-close.tsx';
import { isSaveKey } from '../editing/save-bar.tsx';
import { AlertLine } from '../feedback/alert-line.tsx';

interface FormModalProps extends Omit<ModalProps, 'footer' | 'initialFocus' | 'role'> {
  /** Label of the submit button, e.g. 'Add group'. */
  verb: string;
  onSubmit: (event: FormEvent) => Promise<unknown>;
  /** True if closing would lose input. */
  isDirty: boolean;
  isPending: boolean;
  /** False while the form can't be submitted yet. */
  canSubmit?: boolean;
  /** Reason for a refusal that isn't about a specific field. */
  error?: string | false | undefined;
  /** Another button next to the submit button. */
  aside?: ReactNode;
  /** Replaces the form after submission, e.g. with a secret that is shown only once. */
  done?: ReactNode;
}

/** A dialog with a form. However the dialog is closed, it asks before discarding input. */
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
            // Keep the event from bubbling through the React portal to the form that opened the dialog.
            event.stopPropagation();
            void onSubmit(event);
          }}
          onKeyDown={(event) => {
            if (!isSaveKey(event)) return;
            event.preventDefault();
            if (canSubmit && !isPending && !event.repeat) event.currentTarget.requestSubmit();
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
