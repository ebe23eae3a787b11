export interface CreateDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** When nothing of it is to be seen any more: what it held is forgotten then. */
  onExitComplete: () => void;
}
