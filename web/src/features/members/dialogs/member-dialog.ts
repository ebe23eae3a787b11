import type { Member } from '@orchestrate/shared';

/** Dialogs for actions on a member, from a card as well as from the detail. */
export type MemberDialogName = 'edit' | 'details' | 'codes' | 'lost' | 'access' | 'delete';

export interface MemberDialogProps {
  member: Member;
  isOpen: boolean;
  onClose: () => void;
  /** Called when it has left the screen. */
  onExitComplete: () => void;
  /** After the name or the email changed. */
  onEdited?: ((member: Member) => void) | undefined;
  /** After the member was deleted, before any list is read again. */
  onDeleted?: (() => void) | undefined;
}
