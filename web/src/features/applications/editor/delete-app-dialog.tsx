import { Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type Application, deleteApp } from '@orchestrate/shared';
import { useState } from 'react';
import { useNextStep } from '../../../lib/address/use-next-step.ts';
import { ApiRefusal } from '../../../lib/api/api-refusal.ts';
import { useInvalidate, useWrite } from '../../../lib/api/use-write.ts';
import { leaveFreely } from '../../../lib/leaving/navigation-guard.tsx';
import { reasonOf } from '../../../lib/notices/reason-of.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { toast } from '../../../lib/notices/toaster.ts';
import { paths } from '../../../paths.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { FormField } from '../../../ui/form-field.tsx';

interface DeleteAppDialogProps {
  app: Pick<Application, 'appId' | 'orgCode' | 'name'>;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks for the name of the application before deleting it. */
export function DeleteAppDialog({ app, isOpen, onClose }: DeleteAppDialogProps) {
  const { appId, orgCode, name } = app;
  const goOn = useNextStep(paths.application(appId));
  const invalidate = useInvalidate();
  const [typed, setTyped] = useState('');
  const { run, isPending, refusal, reset } = useWrite(deleteApp);

  const confirm = async () => {
    try {
      await run({ params: { orgCode, appId } });
    } catch (failure) {
      if (!(failure instanceof ApiRefusal && failure.status === 401))
        toast.error(t`Failed to delete app`, reasonOf(failure));
      return;
    }
    toast.success(t`App deleted successfully`);
    leaveFreely(() => goOn(paths.applications));
    // Does not refresh the application itself: its screen is still there for a moment and would request a deleted one.
    await invalidate('Application List');
  };

  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={() => {
        setTyped('');
        reset();
      }}
      onConfirm={() => void confirm()}
      title={t`Delete ${name}?`}
      verb={t`Delete app`}
      isDestructive
      isPending={isPending}
      condition={
        <FormField label={t`Type ${name} to confirm`}>
          <Input
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </FormField>
      }
      canConfirm={typed.trim() === name}
      consequences={[
        t`No one can sign in to it anymore.`,
        t`Its client secrets and configuration are removed immediately.`,
        t`This cannot be undone.`,
      ]}
      error={refusal && resultText(refusal)}
    />
  );
}
