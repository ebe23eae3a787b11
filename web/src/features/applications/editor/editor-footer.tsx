import { Box, Button, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trash2 } from 'lucide-react';
import { FormAlert } from '../../../ui/form-alert.tsx';

interface EditorFooterProps {
  errors: object;
  canSubmit: boolean;
  isSubmitting: boolean;
  onCancel: () => void;
  /** Absent in create mode. */
  onDelete?: (() => void) | undefined;
}

/** Actions on the whole form, always visible below the tabs. */
export function EditorFooter({ errors, canSubmit, isSubmitting, onCancel, onDelete }: EditorFooterProps) {
  return (
    <Flex position="sticky" bottom="0" zIndex="docked" direction="column" gap="3" py="4" bg="bg" borderTopWidth="1px">
      <FormAlert errors={errors} />
      <Flex align="center" wrap="wrap" gap="2.5">
        {onDelete && (
          <Button variant="ghost" color="fg.error" onClick={onDelete}>
            <Box as={Trash2} hideBelow="xs" />
            {t`Delete app`}
          </Button>
        )}
        <Flex gap="2.5" ms="auto">
          <Button variant="outline" onClick={onCancel}>
            {t`Cancel`}
          </Button>
          <Button type="submit" disabled={!canSubmit} loading={isSubmitting} loadingText={t`Submit`}>
            {t`Submit`}
          </Button>
        </Flex>
      </Flex>
    </Flex>
  );
}
