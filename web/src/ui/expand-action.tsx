import { Box } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { ChevronDown } from 'lucide-react';
import { ActionButton } from './action-button.tsx';

interface ExpandActionProps {
  /** Without its verb, e.g. 'what was sent'. */
  what: string;
  isOpen: boolean;
  onToggle: () => void;
  /** Id of the element that it opens. */
  controls: string;
  disabledReason?: string | undefined;
}

/** Shows and hides more of a row. */
export function ExpandAction({ what, isOpen, onToggle, controls, disabledReason }: ExpandActionProps) {
  return (
    <ActionButton
      label={isOpen ? t`Hide ${what}` : t`Show ${what}`}
      disabledReason={disabledReason}
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      onClick={onToggle}
    >
      <Box asChild transform={isOpen ? 'rotate(180deg)' : undefined} transition="transform 150ms">
        <ChevronDown aria-hidden />
      </Box>
    </ActionButton>
  );
}
