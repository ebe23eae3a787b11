import type { Member } from '@orchestrate/shared';

/** What can be done to a member in a dialog, from a card as well as from the detail. */
export type MemberDialogName = 'edit' | 'codes' | 'access' | 'delete';

export interface MemberDialogProps {
  member: Member;
  isOpen: boolean;
  onClose: () => void;
  /** When nothing of it is to be seen any more. */
  onExitComplete: () => void;
  /** After the name or the e-mail changed. */
  onEdited?: ((member: Member) => void) | undefined;
  /** After the member was deleted, before any list is read again. */
  onDeleted?: (() => void) | undefined;
}
