import { Button, chakra, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type ReactNode, useRef } from 'react';
import { AlertLine } from '../feedback/alert-line.tsx';
import { Modal } from './modal.tsx';

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
  /** Called after the exit animation. */
  onExitComplete?: (() => void) | undefined;
  /** Action as a title, e.g. 'Delete device'. */
  title: string;
  /** Effects of the action, one short sentence each. */
  consequences?: string[];
  /** Label of the confirm button; defaults to the title. */
  verb?: string;
  isDestructive?: boolean;
  isPending?: boolean;
  /** Input required before the user can confirm, e.g. a field for the name of the application to delete. */
  condition?: ReactNode;
  /** False until the condition is met. */
  canConfirm?: boolean;
  /** Why the action failed. */
  error?: string | undefined;
  /** Replaces the question after the user has confirmed it, e.g. with the next step. */
  done?: ReactNode;
  children?: ReactNode;
}

/** Asks for confirmation. Destructive buttons are red and never have the initial focus. */
export function ConfirmDialog({ isOpen, onClose, onConfirm, title, verb = title, ...props }: ConfirmDialogProps) {
  const {
    consequences = [],
    isDestructive = false,
    isPending = false,
    condition,
    canConfirm = true,
    error,
    done,
    children,
  } = props;
  const cancel = useRef<HTMLButtonElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={props.onExitComplete}
      title={title}
      role="alertdialog"
      initialFocus={() => (isDestructive ? cancel : confirm).current}
      footer={
        done ? (
          <Button onClick={onClose}>{t`Done`}</Button>
        ) : (
          <>
            <Button ref={cancel} variant="outline" onClick={onClose}>
              {t`Cancel`}
            </Button>
            <Button
              ref={confirm}
              colorPalette={isDestructive ? 'danger' : 'brand'}
              disabled={!canConfirm}
              loading={isPending}
              loadingText={verb}
              onClick={onConfirm}
            >
              {verb}
            </Button>
          </>
        )
      }
    >
      {done || (
        <Flex direction="column" gap="4">
          {children}
          {consequences.length === 1 && <chakra.p color="fg.muted">{consequences[0]}</chakra.p>}
          {consequences.length > 1 && (
            <chakra.ul display="flex" flexDirection="column" gap="1.5" ps="4" color="fg.muted" listStyleType="disc">
              {consequences.map((consequence) => (
                <li key={consequence}>{consequence}</li>
              ))}
            </chakra.ul>
          )}
          {condition}
          {error && <AlertLine>{error}</AlertLine>}
        </Flex>
      )}
    </Modal>
  );
}
