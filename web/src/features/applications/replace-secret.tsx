import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { replaceSharedSecret } from '@orchestrate/shared';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { ConfirmWrite } from './confirm-write.tsx';
import { useOrgCode } from './use-applications.ts';

interface ReplaceSecretProps {
  appId: string;
  /** Success message, e.g. 'New shared secret created'. */
  done: string;
  /** Title of the confirmation dialog. */
  title: string;
}

/** Replaces the secret that the application shares with the portal. */
export function ReplaceSecret({ appId, done, title }: ReplaceSecretProps) {
  const orgCode = useOrgCode();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="sm" variant="outline" onClick={() => setIsOpen(true)}>
        <RefreshCw />
        {t`Regenerate`}
      </Button>
      <ConfirmWrite
        entry={replaceSharedSecret}
        input={isOpen ? { params: { orgCode, appId }, body: {} } : undefined}
        onClose={() => setIsOpen(false)}
        done={done}
        title={title}
        verb={t`Regenerate`}
        isDestructive
        consequences={[t`Clients that use the old secret are rejected immediately.`, t`This can't be undone.`]}
      />
    </>
  );
}
