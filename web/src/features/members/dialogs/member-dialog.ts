import type { Member } from '@orchestrate/shared';

/** Names of the dialogs for a member, opened from a card or the member's page. */
export type MemberDialogName = 'edit' | 'details' | 'codes' | 'lost' | 'access' | 'delete';

export interface MemberDialogProps {
  member: Member;
  isOpen: boolean;
  onClose: () => void;
  /** Called after the exit animation. */
  onExitComplete: () => void;
  /** Called after the member's name or email has changed. */
  onEdited?: ((member: Member) => void) | undefined;
  /** Called after the member has been deleted, before any list is refetched. */
  onDeleted?: (() => void) | undefined;
}
