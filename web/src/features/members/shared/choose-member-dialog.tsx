import { t } from '@lingui/core/macro';
import type { Member } from '@orchestrate/shared';
import { Modal } from '#ui/dialog/modal.tsx';
import { MemberPicker } from './member-choice.tsx';

interface ChooseMemberDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onChoose: (member: Member) => void;
}

export function ChooseMemberDialog({ isOpen, onClose, onChoose }: ChooseMemberDialogProps) {
  return (
    <Modal isOpen={isOpen} onClose={onClose} title={t`Select a member`} placement="top">
      <MemberPicker
        label={t`Member`}
        onChoose={(member) => {
          onClose();
          onChoose(member);
        }}
      />
    </Modal>
  );
}
