import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { resetLab } from '@orchestrate/shared';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { useWrite } from '../../lib/api/use-write.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** Back to the state right after the start. */
export function ResetButton() {
  const [isAsking, setIsAsking] = useState(false);
  const { mutate } = useSWRConfig();
  const { run, isPending, refusal } = useWrite(resetLab);
  const reset = async () => {
    try {
      await run({ body: {} });
    } catch {
      return;
    }
    setIsAsking(false);
    toast.success(t`The portal is as it was right after the start.`);
    await mutate(() => true);
  };
  return (
    <>
      <Button hideBelow="sm" variant="outline" size="sm" onClick={() => setIsAsking(true)}>
        <RotateCcw />
        {t`Reset the portal`}
      </Button>
      {/* Between other icons, where words have no room. */}
      <ActionButton hideFrom="sm" label={t`Reset the portal`} size="md" onClick={() => setIsAsking(true)}>
        <RotateCcw />
      </ActionButton>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => void reset()}
        title={t`Reset the portal?`}
        verb={t`Reset the portal`}
        isDestructive
        isPending={isPending}
        consequences={[
          t`Everything changed since the start is lost.`,
          t`Everyone who is signed in has to sign in again.`,
          t`Messages, the journal, faults, policies and the set time are forgotten.`,
        ]}
        error={refusal && resultText(refusal)}
      />
    </>
  );
}
