export interface CreateDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** Called when it has left the screen: then what it held is forgotten. */
  onExitComplete: () => void;
}
