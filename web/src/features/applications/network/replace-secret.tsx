import { Button } from '@chakra-ui/react';
import { replaceSharedSecret } from '@orchestrate/shared';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '../../../lib/api/use-endpoint.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { toast } from '../../../lib/notices/toaster.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useOrgCode } from '../use-applications.ts';

interface ReplaceSecretProps {
  appId: string;
  /** e.g. 'shared secret'. */
  what: string;
}

/** Replaces the secret that the application and the portal share. */
export function ReplaceSecret({ appId, what }: ReplaceSecretProps) {
  const orgCode = useOrgCode();
  const [isOpen, setIsOpen] = useState(false);
  const { run, isPending, refusal, reset } = useWrite(replaceSharedSecret, { invalidates: ['Applications'] });
  const confirm = async () => {
    try {
      await run({ params: { orgCode, appId }, body: {} });
    } catch {
      return;
    }
    toast.success(`New ${what} made`);
    setIsOpen(false);
  };
  return (
    <>
      <Button size="sm" variant="outline" onClick={() => setIsOpen(true)}>
        <RefreshCw />
        Regenerate
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        onExitComplete={reset}
        onConfirm={() => void confirm()}
        title={`Regenerate the ${what}?`}
        verb="Regenerate"
        isDestructive
        isPending={isPending}
        consequences={['Clients with the old one are refused immediately.', 'This cannot be undone.']}
        error={refusal && resultText(refusal)}
      />
    </>
  );
}
